internal import COpenSSL

/// What connections of one kind agree on: versions and whom they trust; a class because it owns OpenSSL's.
package final class TLSContext {
  let native: OpaquePointer

  /// For clients: TLS 1.2 or newer, the machine's trusted authorities and those in these PEM files; certificates
  /// and names are always checked.
  package init(trusting files: [String] = []) throws(TLSError) {
    guard let native = SSL_CTX_new(TLS_client_method()) else { throw .take(doing: "setting up TLS") }
    self.native = native
    guard cossl_set_min_version(native, TLS1_2_VERSION) == 1 else { throw .take(doing: "setting up TLS") }
    SSL_CTX_set_verify(native, SSL_VERIFY_PEER, nil)
    guard SSL_CTX_set_default_verify_paths(native) == 1 else { throw .take(doing: "setting up TLS") }
    for file in files where SSL_CTX_load_verify_locations(native, file, nil) != 1 {
      throw .take(doing: "reading certificates from \(file)")
    }
  }

  deinit { SSL_CTX_free(native) }
}
