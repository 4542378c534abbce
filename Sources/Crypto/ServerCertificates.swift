internal import COpenSSL

/// The certificates that a server shows: one for each name, made when it is first asked for.
///
/// A class because OpenSSL calls it back.
final class ServerCertificates {
  private let authority: CertificateAuthority
  private var made: [String: Certificate] = [:]
  private lazy var nameless = authority.certificate(for: nil)

  init(_ authority: CertificateAuthority) {
    self.authority = authority
  }

  /// Lets all sessions of a context show the certificate for no name, and its issuer beside whichever they show.
  func show(on context: OpaquePointer) -> Bool {
    SSL_CTX_use_certificate(context, nameless.native) == 1
      && SSL_CTX_use_PrivateKey(context, nameless.key) == 1
      && cossl_add_to_chain(context, authority.issuer.native) == 1
  }

  /// Answers the name that a client asks for: with its certificate, or with an alert where nobody owns it.
  static func answer(
    _ session: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let session, let argument, let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else {
      return SSL_TLSEXT_ERR_NOACK
    }
    let certificates = Unmanaged<ServerCertificates>.fromOpaque(argument).takeUnretainedValue()
    let asked = String(cString: name).lowercased()
    // An address is no name (RFC 6066, 3), but some clients send one all the same.
    if certificates.authority.isLoopback(asked) { return SSL_TLSEXT_ERR_NOACK }
    guard certificates.authority.admits(asked) else {
      alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
      return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    let certificate = certificates.certificate(for: asked)
    guard SSL_use_certificate(session, certificate.native) == 1,
      SSL_use_PrivateKey(session, certificate.key) == 1
    else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    return SSL_TLSEXT_ERR_OK
  }

  /// There are no more names than the authority vouches for, so nothing is ever let go.
  private func certificate(for name: String) -> Certificate {
    if let known = made[name] { return known }
    let certificate = authority.certificate(for: name)
    made[name] = certificate
    return certificate
  }
}
