import ArgumentParser
import Crypto

/// The options of `serve` about a certificate that another authority signed.
struct CertificateOptions: ParsableArguments {
  @Option(
    help: """
      A PEM file with a certificate of your own for HTTPS, followed by its chain. Providers' hosts and localhost, unless it \
      is for them too, keep certificates of the local authority.
      """)
  var tlsCertificate: String?
  @Option(
    help: "A PEM file with the private key of --tls-certificate, without a password. It may be the same file."
  )
  var tlsKey: String?

  /// The command line's values by option name.
  var flags: [String: String?] { ["tls-certificate": tlsCertificate, "tls-key": tlsKey] }
}

extension Configuration {
  var certificate: OwnCertificate? {
    get throws {
      let (certificate, key) = (text("tls-certificate"), text("tls-key"))
      guard let certificate, let key else {
        guard certificate == nil, key == nil else {
          let missing = key == nil ? "--tls-key" : "--tls-certificate"
          throw ValidationError("\(missing): missing; --tls-certificate and --tls-key belong together")
        }
        return nil
      }
      let files = try [("tls-certificate", certificate), ("tls-key", key)].map { option, path in
        try read(path, option)
      }
      do throws(OwnCertificate.Problem) {
        return try OwnCertificate(certificates: files[0], key: files[1])
      } catch {
        throw ValidationError(error.text(certificate: certificate, key: key))
      }
    }
  }

  private func read(_ path: String, _ option: String) throws(ValidationError) -> [UInt8] {
    do throws(Files.Failure) {
      return try Files.read(path, limit: CertificateBundle.sizeLimit)
    } catch {
      throw ValidationError("--\(option): \(error)")
    }
  }
}

extension OwnCertificate.Problem {
  fileprivate func text(certificate: String, key: String) -> String {
    switch self {
    case .certificate(let reason): "--tls-certificate: \(certificate): \(reason)"
    case .key(let reason): "--tls-key: \(key): \(reason)"
    case .mismatch:
      """
      --tls-key: \(key): not the key of the first certificate in \(certificate). Expected the server's own certificate \
      first, then its chain
      """
    }
  }
}
