import ArgumentParser
import Crypto
import Glibc

/// `ringfence ca`: the certificate that clients of the HTTPS listener have to trust.
struct CACommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ca", abstract: "Print the authority that HTTPS clients have to trust.",
    discussion: """
      It can vouch for the providers' host names, localhost and the loopback, and for nothing else. bundle and p12 hold \
      this machine's own authorities too, so that a client that takes them still reaches everybody else; the password \
      of p12 is changeit. mobileconfig is for Apple's devices. Files with the same stand in DATA/trust once --trust was \
      asked for.
      """)

  /// What the certificate can be had as.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case pem, der, p12, bundle, mobileconfig
  }

  @Option(help: "The data folder of the sandbox. Without it, the user's own.")
  var data: String?
  @Option(help: "pem and der are the certificate alone.")
  var format = Format.pem
  @Option(help: "Write to this file instead of printing.")
  var output: String?
  @Flag(help: "Print where the file is instead.")
  var path = false
  @Option(
    defaultAsFlag: Self.everything, parsing: .next,
    help: "Print the commands that make a system or language trust it, such as debian, java or python.")
  var trust: String?

  func run() throws {
    let folder = try Authority.folder(data)
    let authority = try Authority.kept(in: folder)
    if path { return print(Authority.certificateFile(in: folder)) }
    if let trust { return try printRecipes(trust, for: authority, in: folder) }
    let bytes = try bytes(of: authority)
    if let output { return try Files.write(bytes, to: output) }
    guard format.isText || isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError(
        "--format \(format.rawValue) is no text for a terminal: name a file with --output")
    }
    Output.bytes(bytes)
  }

  private func printRecipes(_ name: String, for authority: CertificateAuthority, in folder: String) throws {
    let files = try TrustFiles.write(authority, in: "\(folder)/trust")
    let recipes = Recipe.all(for: files)
    let chosen = recipes.filter { name == Self.everything || $0.name == name }
    guard !chosen.isEmpty else {
      let names = recipes.map(\.name).joined(separator: ", ")
      throw ValidationError("--trust: expected one of \(names); found \(name)")
    }
    print(chosen.map(\.script).joined(separator: "\n\n"))
  }

  private static let everything = "all"

  private func bytes(of authority: CertificateAuthority) throws -> [UInt8] {
    switch format {
    case .pem: Array(authority.rootPEM.utf8)
    case .der: authority.rootDER
    case .mobileconfig: Array(ConfigurationProfile(authority).text.utf8)
    case .bundle: Array(try bundle(with: authority).pem.utf8)
    case .p12: try bundle(with: authority).trustStore(password: TrustFiles.storePassword)
    }
  }

  /// This machine's authorities and ours.
  private func bundle(with authority: CertificateAuthority) throws -> CertificateBundle {
    let system = try SystemRoots()
    if system.file == nil { Output.errorLine("! \(TrustFiles.lonely)") }
    system.bundle.add(authority)
    return system.bundle
  }
}

extension CACommand.Format {
  /// Whether it can be shown at a terminal.
  fileprivate var isText: Bool { self != .der && self != .p12 }
}
