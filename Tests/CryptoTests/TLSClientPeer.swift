import COpenSSL

/// The client's side of a TLS 1.2 connection, in memory. It offers a single suite and trusts every
/// certificate.
final class TLSClientPeer {
  private let context: OpaquePointer
  private let session: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer

  init(suite: String) {
    let (context, input, output) = (
      SSL_CTX_new(TLS_client_method())!, BIO_new(BIO_s_mem())!, BIO_new(BIO_s_mem())!
    )
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    // The default level does not allow every suite.
    SSL_CTX_set_security_level(context, 0)
    precondition(SSL_CTX_set_cipher_list(context, suite) == 1, "unknown suite: \(suite)")
    session = SSL_new(context)!
    (self.context, self.input, self.output) = (context, input, output)
    SSL_set_bio(session, input, output)
    SSL_set_connect_state(session)
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  /// Returns the first bytes for the server.
  func start() -> [UInt8] { take([]) }

  /// Takes bytes from the server and returns those for it.
  func take(_ bytes: [UInt8]) -> [UInt8] {
    BIO_write(input, bytes, Int32(bytes.count))
    SSL_do_handshake(session)
    ERR_clear_error()
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = BIO_read(output, &piece, Int32(piece.count))
    return Array(piece.prefix(max(0, Int(count))))
  }
}
