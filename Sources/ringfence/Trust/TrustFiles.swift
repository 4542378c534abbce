import Crypto
import Glibc

/// The files that make clients trust the authority, in the formats that they read.
struct TrustFiles {
  let folder: String
  /// The authority alone, in PEM.
  var authority: String { "\(folder)/authority.pem" }
  /// This machine's authorities and the sandbox's, in PEM.
  var bundle: String { "\(folder)/bundle.pem" }
  /// The bundle as a PKCS #12 trust store, for Java.
  var store: String { "\(folder)/trust.p12" }
  /// The file with this machine's authorities; nil if none was found, so that the bundle holds the sandbox's
  /// only.
  let systemRoots: String?

  /// JVM options that set the trust store. `JAVA_TOOL_OPTIONS` takes words with spaces in double quotes.
  var javaOptions: [String] {
    [("", store), ("Type", "PKCS12"), ("Password", Self.storePassword)].map { suffix, value in
      let option = "-Djavax.net.ssl.trustStore\(suffix)=\(value)"
      return option.contains(" ") ? "\"\(option)\"" : option
    }
  }

  /// Java's default password; the store holds nothing secret.
  static let storePassword = "changeit"

  /// The warning for a bundle without this machine's authorities.
  static let missingRoots =
    "this machine's certificate authorities were not found: clients that use the bundle trust the sandbox only"

  /// Writes the files into a folder, which is created if needed.
  static func write(_ authority: CertificateAuthority, in folder: String) throws -> TrustFiles {
    let system = try SystemRoots()
    system.bundle.add(authority)
    try Files.makeFolders(folder)
    let files = TrustFiles(folder: folder, systemRoots: system.file)
    try Files.write(authority.rootPEM, to: files.authority)
    try Files.write(system.bundle.pem, to: files.bundle)
    try Files.write(system.bundle.trustStore(password: storePassword), to: files.store)
    return files
  }
}

/// The certificate authorities that this machine trusts.
struct SystemRoots {
  /// The file that they come from; nil if none was found.
  let file: String?
  let bundle = CertificateBundle()

  /// Reads the file that `SSL_CERT_FILE` names, else OpenSSL's default, else the first of `paths`.
  init() throws(Files.Failure) {
    file = Environment[Self.variable] ?? Self.paths.first { access($0, R_OK) == 0 }
    guard let file else { return }
    do {
      try bundle.add(pem: Files.read(file, limit: CertificateBundle.sizeLimit + 1))
    } catch {
      let cause = (error as? Files.Failure)?.reason ?? "\(error)"
      let origin = Environment[Self.variable] == nil ? "" : " (set by \(Self.variable))"
      throw Files.Failure(
        path: file, reason: "cannot read this machine's certificate authorities: \(cause)\(origin)")
    }
  }

  private static let variable = "SSL_CERT_FILE"
  /// The default of OpenSSL, then those of Debian, Fedora, SUSE, Alpine and macOS.
  static let paths =
    [CertificateBundle.defaultFile] + [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
      "/etc/ssl/cert.pem",
    ]
}
