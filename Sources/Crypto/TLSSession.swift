internal import COpenSSL

/// One TLS connection without its socket: bytes in, bytes out. A class because it owns OpenSSL's.
///
/// ```
/// socket ──receive──> session ──read──> application
/// socket <─takeOutput─ session <─write── application
/// ```
package final class TLSSession {
  private let native: OpaquePointer
  /// Held because the session refers to it.
  private let context: TLSContext
  private let input: OpaquePointer
  private let output: OpaquePointer
  /// Whom the session is with, for errors.
  private let partner: String
  /// Whether the first word of a client is still to come.
  private var awaitsHello = false
  /// Whether both sides have agreed, so that `write` and `read` may be used.
  package private(set) var isEstablished = false
  /// Whether the other side has said that nothing more comes.
  package private(set) var isAtEnd = false

  /// The client's side of a connection to a host, a name or a literal address; its certificate must be for that.
  package convenience init(client context: TLSContext, host: String, isLiteral: Bool) throws(TLSError) {
    try self.init(context, with: host)
    SSL_set_connect_state(native)
    try expect(host, isLiteral: isLiteral)
    try advance()
  }

  /// The server's side of a connection; the client speaks first.
  package convenience init(server context: TLSContext) throws(TLSError) {
    try self.init(context, with: "a client")
    SSL_set_accept_state(native)
    awaitsHello = true
  }

  private init(_ context: TLSContext, with partner: String) throws(TLSError) {
    guard let native = SSL_new(context.native) else { throw .take(doing: "setting up TLS") }
    guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
      SSL_free(native)
      throw .take(doing: "setting up TLS")
    }
    (self.native, self.context, self.partner) = (native, context, partner)
    (self.input, self.output) = (input, output)
    // The session frees both.
    SSL_set_bio(native, input, output)
  }

  deinit { SSL_free(native) }

  /// Takes bytes that came from the other side, and goes on with the agreement while there is none.
  package func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    if awaitsHello {
      awaitsHello = false
      guard Self.canBegin(with: bytes[0]) else {
        throw TLSError("the TLS handshake with \(partner) failed: what came is no TLS", isPlain: true)
      }
    }
    guard BIO_write(input, base, Int32(bytes.count)) == bytes.count else { throw .take(doing: "reading TLS") }
    if !isEstablished { try advance() }
  }

  /// Whether a client that speaks TLS, or the SSL of old, may begin so. Source: nginx, `ngx_http_ssl_handshake`.
  private static func canBegin(with byte: UInt8) -> Bool { byte == 0x16 || byte & 0x80 != 0 }

  /// The name that the client asked for; nil where it asked for none, or is us.
  package var requestedName: String? {
    SSL_get_servername(native, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
  }

  /// Says that nothing more comes from here; the words are in the output.
  package func end() {
    guard isEstablished else { return }
    SSL_shutdown(native)
    ERR_clear_error()
  }

  /// Bytes for the other side; none when there are none.
  package func takeOutput() -> [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    let count = cossl_pending(output, &start)
    guard count > 0, let start else { return [] }
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    _ = cossl_empty(output)
    return bytes
  }

  /// Encrypts bytes of the application.
  package func write(_ bytes: [UInt8]) throws(TLSError) {
    precondition(isEstablished, "there is no agreement yet")
    guard !bytes.isEmpty else { return }
    ERR_clear_error()
    // The output grows as needed, so all is taken at once.
    guard SSL_write(native, bytes, Int32(bytes.count)) == bytes.count else {
      throw .take(doing: "writing TLS")
    }
  }

  /// The application's bytes that have come so far; none when there are none.
  package func read() throws(TLSError) -> [UInt8] {
    guard isEstablished else { return [] }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      ERR_clear_error()
      let count = SSL_read(native, &piece, Int32(piece.count))
      guard count > 0 else {
        try judge(count, doing: "reading TLS")
        return bytes
      }
      bytes.append(contentsOf: piece[..<Int(count)])
    }
  }

  private func expect(_ host: String, isLiteral: Bool) throws(TLSError) {
    if isLiteral {
      let wanted = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(native), host)
      guard wanted == 1 else { throw .take(doing: "setting up TLS") }
    } else {
      SSL_set_hostflags(native, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      guard SSL_set1_host(native, host) == 1, cossl_set_server_name(native, host) == 1 else {
        throw .take(doing: "setting up TLS")
      }
    }
  }

  private func advance() throws(TLSError) {
    ERR_clear_error()
    let code = SSL_do_handshake(native)
    if code == 1 { return isEstablished = true }
    try judge(code, doing: "the TLS handshake with \(partner)")
  }

  /// Throws unless more bytes are all that is wanting.
  private func judge(_ code: Int32, doing: String) throws(TLSError) {
    switch SSL_get_error(native, code) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
    case SSL_ERROR_ZERO_RETURN: isAtEnd = true
    default:
      let verdict = SSL_get_verify_result(native)
      guard verdict != X509_V_OK, let text = X509_verify_cert_error_string(verdict) else {
        throw .take(doing: doing)
      }
      ERR_clear_error()
      throw TLSError("the certificate of \(partner) is not trusted: \(String(cString: text))")
    }
  }
}
