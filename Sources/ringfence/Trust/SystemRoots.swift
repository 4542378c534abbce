import Crypto
import Glibc

/// The authorities that this machine trusts by itself.
struct SystemRoots {
  /// The file that they come from; nil where there is none.
  let file: String?
  /// Their certificates.
  let bundle = CertificateBundle()

  /// Those of the file that the user names in `SSL_CERT_FILE`, else OpenSSL's own, else those of a usual place.
  init() throws(Files.Failure) {
    file = Environment[Self.variable] ?? Self.places.first { access($0, R_OK) == 0 }
    guard let file else { return }
    do {
      try bundle.add(pem: Files.read(file, limit: CertificateBundle.sizeLimit + 1))
    } catch {
      let cause = (error as? Files.Failure)?.reason ?? "\(error)"
      throw Files.Failure(
        path: file, reason: "the authorities that this machine trusts: \(cause)\(Self.hint)")
    }
  }

  /// Whom to ask when the file is none.
  private static var hint: String { Environment[variable] == nil ? "" : " (\(variable) names this file)" }

  private static let variable = "SSL_CERT_FILE"
  /// Where such a file may be: Debian, Fedora, SUSE, Alpine and macOS.
  static let places =
    [CertificateBundle.defaultFile] + [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
      "/etc/ssl/cert.pem",
    ]
}
