internal import COpenSSL

/// One TLS connection without its socket: bytes in, bytes out.
///
/// ```
/// socket ── receive ──> session ── read ──> application
/// socket <─ takeOutput ─ session <─ write ── application
/// ```
package final class TLSSession {
  /// The most bytes of the application that a record has. Source: RFC 8446, section 5.1.
  private static let maxRecordSize = 16_384

  private let native: OpaquePointer
  /// The session refers to it.
  private let context: TLSContext
  private let input: OpaquePointer
  private let output: OpaquePointer
  /// The peer's name in errors.
  private let peer: String
  /// On the server's side, true until the first bytes arrive.
  package private(set) var awaitsHello = false
  /// True after the handshake. Then `write` and `read` can be used.
  package private(set) var isEstablished = false
  /// True after the peer's close_notify.
  package private(set) var isAtEnd = false

  /// The client's side. The server's certificate must be valid for the host, a name or a literal address.
  package convenience init(client context: TLSContext, host: String, isLiteral: Bool) throws(TLSError) {
    try self.init(context, with: host)
    SSL_set_connect_state(native)
    try requireHost(host, isLiteral: isLiteral)
    try advance()
  }

  /// The server's side. `isLoopback` is true if the client has connected to a loopback address.
  package convenience init(
    server context: TLSContext, isLoopback: @autoclosure () -> Bool = true
  ) throws(TLSError) {
    try self.init(context, with: "a client")
    try context.prepare(native, isLoopback: isLoopback)
    SSL_set_accept_state(native)
    awaitsHello = true
  }

  private init(_ context: TLSContext, with peer: String) throws(TLSError) {
    guard let native = SSL_new(context.native) else { throw .openSSL(doing: "setting up TLS") }
    guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
      SSL_free(native)
      throw .openSSL(doing: "setting up TLS")
    }
    (self.native, self.context, self.peer) = (native, context, peer)
    (self.input, self.output) = (input, output)
    // The session frees both buffers.
    SSL_set_bio(native, input, output)
  }

  deinit { SSL_free(native) }

  /// Takes bytes from the peer, and continues the handshake if it is not complete.
  package func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return }
    if awaitsHello {
      awaitsHello = false
      guard Self.canStart(with: bytes[0]) else {
        throw TLSError(
          "the TLS handshake with \(peer) failed: the client does not use TLS", isPlaintext: true)
      }
    }
    guard BIO_write(input, base, Int32(bytes.count)) == bytes.count else {
      throw .openSSL(doing: "reading TLS")
    }
    if !isEstablished { try advance() }
  }

  /// True for the first byte of TLS or SSL 2. Source: nginx, `ngx_http_ssl_handshake`.
  private static func canStart(with byte: UInt8) -> Bool { byte == 0x16 || byte & 0x80 != 0 }

  /// The name that the client asked for. Use it on the server's side only.
  package var requestedName: String? {
    SSL_get_servername(native, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
  }

  /// True if both sides agreed on HTTP/2.
  package var usesHTTP2: Bool {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(native, &start, &count)
    return UnsafeBufferPointer(start: start, count: Int(count)).elementsEqual("h2".utf8)
  }

  /// The certificate that the client showed, in DER; nil: none. Nobody has checked it. On the server's side
  /// only.
  package var clientCertificate: [UInt8]? {
    guard let certificate = SSL_get1_peer_certificate(native) else { return nil }
    defer { X509_free(certificate) }
    return Buffer.bytes { i2d_X509_bio($0, certificate) }
  }

  /// Adds a close_notify to the output.
  package func end() {
    guard isEstablished else { return }
    SSL_shutdown(native)
    ERR_clear_error()
  }

  /// Bytes for the peer; may be empty.
  package func takeOutput() -> [UInt8] {
    let waiting = BIO_ctrl_pending(output)
    guard waiting > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
      count = Int(max(BIO_read(output, buffer.baseAddress, Int32(waiting)), 0))
    }
  }

  /// Encrypts bytes of the application.
  package func write(_ bytes: [UInt8]) throws(TLSError) {
    precondition(isEstablished, "the handshake is not complete")
    guard !bytes.isEmpty else { return }
    ERR_clear_error()
    // The output buffer grows as needed, so everything is written at once.
    guard SSL_write(native, bytes, Int32(bytes.count)) == bytes.count else {
      throw .openSSL(doing: "writing TLS")
    }
  }

  /// Decrypted bytes; may be empty.
  package func read() throws(TLSError) -> [UInt8] {
    guard isEstablished else { return [] }
    var bytes: [UInt8] = []
    while true {
      // Bytes that are decrypted already, and bytes that have come. Without them, no read would return any.
      let waiting = Int(SSL_pending(native)) + BIO_ctrl_pending(input)
      guard waiting > 0 else { return bytes }
      ERR_clear_error()
      var result: Int32 = 0
      let record = [UInt8](unsafeUninitializedCapacity: min(waiting, Self.maxRecordSize)) { buffer, count in
        result = SSL_read(native, buffer.baseAddress, Int32(buffer.count))
        count = max(Int(result), 0)
      }
      guard result > 0 else {
        try check(result, doing: "reading TLS")
        return bytes
      }
      if bytes.isEmpty { bytes = record } else { bytes += record }
    }
  }

  private func requireHost(_ host: String, isLiteral: Bool) throws(TLSError) {
    if isLiteral {
      let wanted = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(native), host)
      guard wanted == 1 else { throw .openSSL(doing: "setting up TLS") }
    } else {
      SSL_set_hostflags(native, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      guard SSL_set1_host(native, host) == 1, cossl_set_server_name(native, host) == 1 else {
        throw .openSSL(doing: "setting up TLS")
      }
    }
  }

  private func advance() throws(TLSError) {
    ERR_clear_error()
    let code = SSL_do_handshake(native)
    if code == 1 { return isEstablished = true }
    try check(code, doing: "the TLS handshake with \(peer)")
  }

  /// Throws unless OpenSSL only needs more bytes, or the peer has ended the session.
  private func check(_ code: Int32, doing: String) throws(TLSError) {
    switch SSL_get_error(native, code) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
    case SSL_ERROR_ZERO_RETURN: isAtEnd = true
    default:
      try requireTrust()
      throw .openSSL(doing: doing)
    }
  }

  /// Throws if the server's certificate or name is not trusted.
  package func requireTrust() throws(TLSError) {
    let result = SSL_get_verify_result(native)
    guard result != X509_V_OK, let text = X509_verify_cert_error_string(result) else { return }
    ERR_clear_error()
    throw TLSError("the certificate of \(peer) is not trusted: \(String(cString: text))")
  }
}
