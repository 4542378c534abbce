import Crypto
import Glibc
import Loop

/// Looks whether clients trust what the sandbox shows: by a handshake with each file that the environment names.
struct TrustExamination: Examination {
  static let area = "trust"
  let subject: Subject
  /// Whether clients are led here, by a proxy or by names, so that they meet what is shown.
  let isLedHere: Bool

  func findings() -> [Finding] {
    switch shake(trusting: [], withMachine: true) {
    case .unreachable(let why):
      return [
        .doubtful(
          "no TLS at \(subject.tls): \(why)",
          fix: "apps that keep https need it: ringfence serve --https 127.0.0.1:5551")
      ]
    case let verdict:
      let named = Self.files.compactMap { file in Environment[file.variable].map { judge(file, at: $0) } }
      return authority + (named.isEmpty ? [machine(verdict)] : named) + java
    }
  }

  /// What came of a handshake.
  private enum Verdict {
    case trusted
    case distrusted(why: String)
    case unreachable(why: String)
  }

  private func shake(trusting files: [String], withMachine: Bool) -> Verdict {
    do {
      let context = try TLSContext(trusting: files, includingSystemRoots: withMachine)
      try Handshake.attempt(with: Authority.names[0], by: subject.tls, trusting: context)
      return .trusted
    } catch let failure as PlainSocket.Failure {
      return .unreachable(why: failure.description)
    } catch {
      return .distrusted(why: "\(error)")
    }
  }

  // MARK: The authority

  /// Whether the server shows the authority of the folder that it should be from.
  private var authority: [Finding] {
    let file = Authority.certificateFile(in: subject.authorityFolder)
    guard access(file, R_OK) == 0 else {
      return [
        .doubtful("there is no \(file), so the sandbox shows another authority", fix: Self.otherFolder)
      ]
    }
    if case .distrusted(let why) = shake(trusting: [file], withMachine: false) {
      return [.doubtful("\(subject.tls) shows another authority than \(file): \(why)", fix: Self.otherFolder)]
    }
    return [.good("the sandbox shows the authority \(file)")] + age(of: file)
  }

  private static let otherFolder =
    "name the --data folder that the server was given: ringfence doctor --data DIR"

  private func age(of file: String) -> [Finding] {
    let bundle = CertificateBundle()
    let soon = EventLoop.wallClockMilliseconds() / 1000 + 30 * 86_400
    guard (try? bundle.add(pem: Files.read(file))) != nil, !bundle.isValid(at: Int(soon)) else { return [] }
    return [
      .doubtful(
        "\(file) has less than 30 days to live",
        fix: "rm \(file.shellQuoted), start the server anew, trust it again")
    ]
  }

  // MARK: The environment

  /// A variable that names a file with authorities, and the recipe for it.
  private typealias File = (variable: String, client: String, recipe: String)

  private static let files: [File] = [
    ("SSL_CERT_FILE", "what stands on OpenSSL, and Go", "python"),
    ("REQUESTS_CA_BUNDLE", "Python's requests", "python"), ("CURL_CA_BUNDLE", "curl", "curl"),
    ("NODE_EXTRA_CA_CERTS", "Node", "node"),
  ]

  private func judge(_ file: File, at path: String) -> Finding {
    let client = "\(file.client) (\(file.variable)=\(path))"
    switch shake(trusting: [path], withMachine: false) {
    case .trusted: return .good("\(client) trusts the sandbox")
    case .distrusted(let why), .unreachable(let why):
      return distrust("\(client) does not trust the sandbox: \(why)", fix: fix(file.recipe))
    }
  }

  /// What clients make of it that ask the machine.
  private func machine(_ verdict: Verdict) -> Finding {
    if case .trusted = verdict { return .good("this machine trusts the sandbox") }
    return distrust(
      "neither a variable nor this machine trusts the sandbox",
      fix: "ringfence run -- CMD, which sets all of it",
      fix("python"))
  }

  private var java: [Finding] {
    let options = Environment["JAVA_TOOL_OPTIONS"] ?? ""
    guard let option = options.firstRange(of: "-Djavax.net.ssl.trustStore=") else { return [] }
    // An option with blanks stands between quotes.
    let end: Character = options[..<option.lowerBound].last == "\"" ? "\"" : " "
    let path = options[option.upperBound...].prefix { $0 != end }.filter { $0 != "\"" && $0 != "'" }
    guard access(path, R_OK) != 0 else { return [.good("Java's trust store \(path) can be read")] }
    return [.bad("Java's trust store \(path) (JAVA_TOOL_OPTIONS) cannot be read", fix: fix("java"))]
  }

  private func distrust(_ text: String, fix: String...) -> Finding {
    Finding(mark: isLedHere ? .bad : .doubtful, text: text, fix: fix)
  }

  private func fix(_ recipe: String) -> String {
    let isUsual = subject.authorityFolder == Authority.userFolder
    let folder = isUsual ? "" : " --data \(subject.authorityFolder.shellQuoted)"
    return "eval \"$(ringfence ca --trust \(recipe)\(folder))\""
  }
}
