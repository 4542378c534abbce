import COpenSSL

/// The server's side of a connection, in memory. Uses a certificate from `Certificates`.
final class TLSPeer {
  private let context: OpaquePointer
  private let session: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer

  /// Uses the certificate in this file, and at most this version of TLS.
  init(certificate file: String, newest version: Int32 = TLS1_3_VERSION) {
    let (context, input, output) = (
      SSL_CTX_new(TLS_server_method())!, BIO_new(BIO_s_mem())!, BIO_new(BIO_s_mem())!
    )
    SSL_CTX_use_certificate_chain_file(context, file)
    SSL_CTX_use_PrivateKey_file(context, file, SSL_FILETYPE_PEM)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    // The default level does not allow versions before 1.2.
    SSL_CTX_set_security_level(context, 0)
    session = SSL_new(context)!
    (self.context, self.input, self.output) = (context, input, output)
    SSL_set_bio(session, input, output)
    SSL_set_accept_state(session)
  }

  deinit {
    SSL_free(session)
    SSL_CTX_free(context)
  }

  /// The name that the client asked for (SNI).
  var requestedName: String? {
    SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
  }

  /// The negotiated version.
  var version: String { String(cString: SSL_get_version(session)) }

  /// Takes bytes from the client and returns those for it.
  func take(_ bytes: [UInt8]) -> [UInt8] {
    BIO_write(input, bytes, Int32(bytes.count))
    if SSL_is_init_finished(session) == 0 { SSL_do_handshake(session) }
    ERR_clear_error()
    return takeOutput()
  }

  /// The decrypted text so far.
  func read() -> String {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = SSL_read(session, &piece, Int32(piece.count))
    ERR_clear_error()
    return String(decoding: piece.prefix(max(0, Int(count))), as: UTF8.self)
  }

  /// Encrypts this text.
  func write(_ text: String) -> [UInt8] {
    SSL_write(session, Array(text.utf8), Int32(text.utf8.count))
    return takeOutput()
  }

  /// Returns a close_notify.
  func end() -> [UInt8] {
    SSL_shutdown(session)
    return takeOutput()
  }

  private func takeOutput() -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = BIO_read(output, &piece, Int32(piece.count))
    return Array(piece.prefix(max(0, Int(count))))
  }
}
