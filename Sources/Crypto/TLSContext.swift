internal import COpenSSL

/// What connections of one kind agree on: versions and whom they trust; a class because it owns OpenSSL's.
package final class TLSContext {
  let native: OpaquePointer
  /// Makes the certificates that servers show; nil for clients.
  private var certificates: ServerCertificates?

  /// For clients: TLS 1.2 or newer, the authorities in these PEM files and, unless they are to be alone, those that
  /// the machine trusts; certificates and names are always checked.
  package init(trusting files: [String] = [], besidesMachine: Bool = true) throws(TLSError) {
    guard let native = SSL_CTX_new(TLS_client_method()) else { throw .take(doing: "setting up TLS") }
    self.native = native
    guard cossl_set_min_version(native, TLS1_2_VERSION) == 1 else { throw .take(doing: "setting up TLS") }
    SSL_CTX_set_verify(native, SSL_VERIFY_PEER, nil)
    if besidesMachine, SSL_CTX_set_default_verify_paths(native) != 1 { throw .take(doing: "setting up TLS") }
    for file in files where SSL_CTX_load_verify_locations(native, file, nil) != 1 {
      throw .take(doing: "reading certificates from \(file)")
    }
  }

  /// For servers: TLS 1.2 or newer, HTTP/1.1 only, a certificate of this authority for each name that clients ask
  /// for. Sessions are resumed by tickets.
  package init(vouchedBy authority: CertificateAuthority) throws(TLSError) {
    guard let native = SSL_CTX_new(TLS_server_method()) else { throw .take(doing: "setting up TLS") }
    self.native = native
    let certificates = ServerCertificates(authority)
    self.certificates = certificates
    _ = cossl_set_server_modes(native)
    guard cossl_set_min_version(native, TLS1_2_VERSION) == 1,
      SSL_CTX_set_session_id_context(native, Self.sessionName, UInt32(Self.sessionName.count)) == 1,
      certificates.show(on: native)
    else { throw .take(doing: "setting up TLS") }
    SSL_CTX_set_alpn_select_cb(
      native,
      { _, chosen, count, offered, size, _ in
        TLSContext.choose(from: UnsafeBufferPointer(start: offered, count: Int(size)), chosen, count)
      }, nil)
    _ = cossl_set_sni_callback(native) { session, alert, argument in
      ServerCertificates.answer(session, alert, argument)
    }
    _ = cossl_set_sni_argument(native, Unmanaged.passUnretained(certificates).toOpaque())
  }

  deinit { SSL_CTX_free(native) }

  private static let sessionName = Array("ringfence".utf8)

  /// HTTP/1.1 where the client offers it; else nothing is agreed on, and HTTP/1.1 is spoken all the same.
  private static func choose(
    from offered: UnsafeBufferPointer<UInt8>, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?
  ) -> Int32 {
    var rest = offered[...]
    while let size = rest.first, rest.count > Int(size) {
      let name = rest.dropFirst().prefix(Int(size))
      if name.elementsEqual("http/1.1".utf8), let start = offered.baseAddress {
        chosen?.pointee = start + name.startIndex
        count?.pointee = size
        return SSL_TLSEXT_ERR_OK
      }
      rest = rest.dropFirst(Int(size) + 1)
    }
    return SSL_TLSEXT_ERR_NOACK
  }
}
