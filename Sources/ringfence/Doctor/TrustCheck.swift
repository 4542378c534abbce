import Crypto
import Glibc
import Loop
import ProviderKit

/// Checks that clients trust the sandbox's certificates: a TLS handshake with each file that the environment
/// names.
struct TrustCheck: Check {
  static let name = "trust"
  let target: DoctorTarget
  /// True if a proxy variable or DNS sends clients here. Missing trust is then an error.
  let clientsConnectHere: Bool

  func results() -> [CheckResult] {
    let machine = handshake(trusting: [], andMachine: true)
    if case .unreachable(let reason) = machine {
      return [
        .warning(
          "no TLS at \(target.tls): \(reason)",
          fix: "if your app uses https: ringfence serve --https 127.0.0.1:5551")
      ]
    }
    let files = Self.variables.compactMap { entry in
      Environment[entry.name].map { result(for: entry, naming: $0) }
    }
    return authority + (files.isEmpty ? [machineResult(machine)] : files) + java
  }

  private enum Outcome {
    case trusted
    case distrusted(reason: String)
    case unreachable(reason: String)
  }

  private func handshake(trusting files: [String], andMachine: Bool) -> Outcome {
    do {
      let context = try TLSContext(trusting: files, includingSystemRoots: andMachine, completes: true)
      try Handshake.attempt(with: ProviderHosts.all.names[0], by: target.tls, trusting: context)
      return .trusted
    } catch let failure as PlainSocket.Failure {
      return .unreachable(reason: failure.description)
    } catch {
      return .distrusted(reason: "\(error)")
    }
  }

  // MARK: The certificate authority

  /// Checks that the server uses the authority in the data folder.
  private var authority: [CheckResult] {
    let file = Authority.certificateFile(in: target.authorityFolder)
    guard access(file, R_OK) == 0 else {
      return [
        .warning("\(file) does not exist, so the sandbox uses another authority", fix: Self.otherFolder)
      ]
    }
    if case .distrusted(let reason) = handshake(trusting: [file], andMachine: false) {
      return [.warning("\(target.tls) uses another authority than \(file): \(reason)", fix: Self.otherFolder)]
    }
    return [.ok("the sandbox uses the authority \(file)")] + expiry(of: file)
  }

  private static let otherFolder =
    "name the server's --data folder: ringfence doctor --data DIR"

  private func expiry(of file: String) -> [CheckResult] {
    let bundle = CertificateBundle()
    let soon = EventLoop.wallClockMilliseconds() / 1000 + 30 * 86_400
    guard (try? bundle.add(pem: Files.read(file))) != nil, !bundle.isValid(at: Int(soon)) else { return [] }
    return [
      .warning(
        "\(file) expires in less than 30 days",
        fix: "rm \(file.shellQuoted), restart the server, and trust the new authority")
    ]
  }

  // MARK: The environment

  /// A variable that names a file of trusted certificates, its readers, and the argument of `ca --trust` that
  /// sets it.
  private typealias Variable = (name: String, clients: String, recipe: String)

  private static let variables: [Variable] = [
    ("SSL_CERT_FILE", "programs using OpenSSL, and Go,", "python"),
    ("REQUESTS_CA_BUNDLE", "Python's requests", "python"), ("CURL_CA_BUNDLE", "curl", "curl"),
    ("NODE_EXTRA_CA_CERTS", "Node", "node"),
  ]

  private func result(for variable: Variable, naming path: String) -> CheckResult {
    let setting = "\(variable.name)=\(path)"
    switch handshake(trusting: [path], andMachine: false) {
    case .trusted: return .ok("\(setting): \(variable.clients) will trust the sandbox")
    case .distrusted(let reason), .unreachable(let reason):
      return distrust(
        "\(setting): \(variable.clients) will not trust the sandbox: \(reason)", fix: fix(variable.recipe))
    }
  }

  /// Clients that use the machine's trust store.
  private func machineResult(_ outcome: Outcome) -> CheckResult {
    if case .trusted = outcome { return .ok("this machine trusts the sandbox") }
    return distrust(
      "this machine does not trust the sandbox, and no variable names a file that does",
      fix: "ringfence run -- CMD, which sets every variable", fix("python"))
  }

  private var java: [CheckResult] {
    let options = Environment["JAVA_TOOL_OPTIONS"] ?? ""
    guard let option = options.firstRange(of: "-Djavax.net.ssl.trustStore=") else { return [] }
    // An option that contains spaces is in quotes.
    let end: Character = options[..<option.lowerBound].last == "\"" ? "\"" : " "
    let path = options[option.upperBound...].prefix { $0 != end }.filter { $0 != "\"" && $0 != "'" }
    guard access(path, R_OK) != 0 else { return [.ok("Java's trust store \(path) is readable")] }
    return [.error("Java's trust store \(path) (JAVA_TOOL_OPTIONS) is not readable", fix: fix("java"))]
  }

  private func distrust(_ text: String, fix: String...) -> CheckResult {
    CheckResult(status: clientsConnectHere ? .error : .warning, text: text, fix: fix)
  }

  private func fix(_ recipe: String) -> String {
    let isDefault = target.authorityFolder == Authority.userFolder
    let folder = isDefault ? "" : " --data \(target.authorityFolder.shellQuoted)"
    return "eval \"$(ringfence ca --trust \(recipe)\(folder))\""
  }
}
