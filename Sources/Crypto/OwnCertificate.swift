internal import COpenSSL

/// A server's certificate that another authority signed, with its private key and the certificates between it
/// and a root.
package final class OwnCertificate {
  private let key: OpaquePointer
  private let chain: CertificateBundle

  /// Why a certificate and a key cannot be used.
  package enum Problem: Error, Equatable {
    /// The text of the certificates, for this reason.
    case certificate(String)
    /// The text of the key, for this reason.
    case key(String)
    case mismatch
  }

  /// Reads PEM: the server's certificate and then its chain, and an unencrypted key. Both may be in one text.
  package init(certificates: [UInt8], key secret: [UInt8]) throws(Problem) {
    chain = CertificateBundle()
    do throws(TLSError) {
      try chain.add(pem: certificates)
    } catch {
      throw .certificate(error.description)
    }
    guard let key = PEM.read(String(decoding: secret, as: UTF8.self), cossl_read_private_key) else {
      throw .key("expected an unencrypted private key in PEM")
    }
    self.key = key
    defer { ERR_clear_error() }
    guard X509_check_private_key(leaf, key) == 1 else { throw .mismatch }
    try requireStrength()
  }

  deinit { EVP_PKEY_free(key) }

  private var leaf: OpaquePointer { chain.certificates[0] }

  /// Throws if OpenSSL rejects the certificate, such as one with a short key.
  private func requireStrength() throws(Problem) {
    guard let context = SSL_CTX_new(TLS_server_method()) else { return }
    defer { SSL_CTX_free(context) }
    if SSL_CTX_use_certificate(context, leaf) != 1 {
      throw .certificate(TLSError.openSSL(doing: "using it").description)
    }
  }

  /// `name` is in lower case.
  func covers(_ name: String) -> Bool {
    X509_check_host(leaf, name, name.utf8.count, 0, nil) == 1
  }

  /// Replaces whatever certificate the session has. Returns false on failure.
  func select(for session: OpaquePointer) -> Bool {
    cossl_use_certificate(session, leaf, key) == 1
      && chain.certificates.dropFirst().allSatisfy { cossl_add_to_session_chain(session, $0) == 1 }
  }
}
