import ArgumentParser
import Crypto
import Glibc
import JSON

/// `ringfence ca`
struct CACommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ca", abstract: "Print the certificate authority that HTTPS clients have to trust.",
    discussion: """
      The authority can sign for the providers' host names, localhost and the loopback addresses only. The formats \
      bundle and p12 contain this machine's authorities too, so that clients can still reach other hosts. The password \
      of p12 is changeit. mobileconfig is for Apple's devices. --trust writes these files to DATA/trust.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case pem, der, p12, bundle, mobileconfig
  }

  @Option(help: "The server's data folder. Default: the user's.")
  var data: String?
  @Option(help: "The format: pem and der contain the authority's certificate only.")
  var format = Format.pem
  @Option(help: "Write to this file instead of standard output.")
  var output: String?
  @Flag(help: "Print JSON: the certificate, and where it is.")
  var json = false
  @Flag(help: "Print the path of the certificate instead.")
  var path = false
  @Option(
    defaultAsFlag: Self.everything, parsing: .next,
    help: "Print the shell commands that make a system or language trust it, such as debian, java or python.")
  var trust: String?

  func run() throws {
    let folder = try Authority.folder(data)
    let authority = try Authority.stored(in: folder)
    let wanted = [json ? "--json" : nil, path ? "--path" : nil, trust == nil ? nil : "--trust"]
      .compactMap(\.self)
    if let first = wanted.first, wanted.count > 1 || output != nil || format != .pem {
      throw ValidationError("\(first): expected no other option but --data")
    }
    if json {
      let members = [
        JSON.Member("path", Authority.certificateFile(in: folder)), .init("pem", authority.rootPEM),
      ]
      return Output.json(.object(members))
    }
    if path { return Output.line(Authority.certificateFile(in: folder)) }
    if let trust { return try printRecipes(trust, for: authority, in: folder) }
    let bytes = try bytes(of: authority)
    if let output { return try Files.write(bytes, to: output) }
    guard format.isText || isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError(
        "--format \(format.rawValue) is binary: name a file with --output, or redirect the output")
    }
    Output.bytes(bytes)
  }

  private func printRecipes(_ name: String, for authority: CertificateAuthority, in folder: String) throws {
    let files = try TrustFiles.write(authority, in: "\(folder)/trust")
    let recipes = TrustRecipe.all(for: files)
    let chosen = recipes.filter { name == Self.everything || $0.name == name }
    guard !chosen.isEmpty else {
      throw ValidationError("--trust: \(recipes.map(\.name).expectation(found: name))")
    }
    Output.line(chosen.map(\.script).joined(separator: "\n\n"))
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

  /// This machine's authorities and the sandbox's.
  private func bundle(with authority: CertificateAuthority) throws -> CertificateBundle {
    let system = try SystemRoots()
    if system.file == nil { Output.errorLine("! \(TrustFiles.missingRoots)") }
    system.bundle.add(authority)
    return system.bundle
  }
}

extension CACommand.Format {
  fileprivate var isText: Bool { self != .der && self != .p12 }
}
