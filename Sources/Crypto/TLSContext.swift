internal import COpenSSL

/// Settings that TLS connections share: versions, trusted authorities, certificates.
package final class TLSContext {
  let native: OpaquePointer
  /// Nil for clients.
  private var certificates: ServerCertificates?

  /// For clients: TLS 1.2 or newer. Certificates and names are always checked, against the authorities in
  /// these PEM files and optionally those of the machine. `completes`: a handshake with a server that is not
  /// trusted goes on, and `TLSSession.requireTrust` throws.
  package init(
    trusting files: [String] = [], includingSystemRoots: Bool = true, completes: Bool = false
  ) throws(TLSError) {
    guard let native = SSL_CTX_new(TLS_client_method()) else { throw .openSSL(doing: "setting up TLS") }
    self.native = native
    guard Self.restrict(native) else { throw .openSSL(doing: "setting up TLS") }
    SSL_CTX_set_verify(native, completes ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
    if includingSystemRoots, SSL_CTX_set_default_verify_paths(native) != 1 {
      throw .openSSL(doing: "setting up TLS")
    }
    for file in files where SSL_CTX_load_verify_locations(native, file, nil) != 1 {
      throw .openSSL(doing: "reading certificates from \(file)")
    }
  }

  /// For servers: TLS 1.2 or newer, HTTP/2 or HTTP/1.1, session tickets. Clients get the server's own
  /// certificate if there is one for the name they ask for, and else one of this authority.
  package init(issuedBy authority: CertificateAuthority, own: OwnCertificate? = nil) throws(TLSError) {
    guard let native = SSL_CTX_new(TLS_server_method()) else { throw .openSSL(doing: "setting up TLS") }
    self.native = native
    let certificates = ServerCertificates(authority, own: own)
    self.certificates = certificates
    _ = cossl_set_server_modes(native)
    guard Self.restrict(native),
      SSL_CTX_set_session_id_context(native, Self.sessionName, UInt32(Self.sessionName.count)) == 1,
      certificates.configure(native)
    else { throw .openSSL(doing: "setting up TLS") }
    SSL_CTX_set_alpn_select_cb(
      native,
      { session, chosen, count, offered, size, argument in
        let names = ServerCertificates.offersHTTP2(session, argument) ? ["h2", "http/1.1"] : ["http/1.1"]
        return TLSContext.selectProtocol(
          of: names, from: UnsafeBufferPointer(start: offered, count: Int(size)), chosen, count)
      }, Unmanaged.passUnretained(certificates).toOpaque())
    _ = cossl_set_sni_callback(native) { session, alert, argument in
      ServerCertificates.selectCertificate(session, alert, argument)
    }
    _ = cossl_set_sni_argument(native, Unmanaged.passUnretained(certificates).toOpaque())
  }

  deinit { SSL_CTX_free(native) }

  /// Gives new connections of a server another certificate of its own. Open ones keep theirs.
  package func replace(own certificate: OwnCertificate?) { certificates?.own = certificate }

  /// Prepares a session for clients that ask for no name, since most call the server by an address. The
  /// authority's certificate is for loopback addresses.
  func prepare(_ session: OpaquePointer, isLoopback: () -> Bool) throws(TLSError) {
    guard let own = certificates?.own, !isLoopback() else { return }
    guard own.select(for: session) else { throw .openSSL(doing: "using the certificate") }
  }

  /// Allows TLS 1.2 with authenticated encryption and forward secrecy only, and TLS 1.3, whose suites all
  /// have both.
  private static func restrict(_ context: OpaquePointer) -> Bool {
    cossl_set_min_version(context, TLS1_2_VERSION) == 1
      && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1
  }

  private static let sessionName = Array("ringfence".utf8)

  /// Selects the first of these names that the client offers. Otherwise nothing is selected, and HTTP/1.1 is
  /// used anyway.
  private static func selectProtocol(
    of names: [String], from offered: UnsafeBufferPointer<UInt8>,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?
  ) -> Int32 {
    for name in names {
      guard let found = position(of: name, in: offered), let start = offered.baseAddress else { continue }
      chosen?.pointee = start + found
      count?.pointee = UInt8(name.utf8.count)
      return SSL_TLSEXT_ERR_OK
    }
    return SSL_TLSEXT_ERR_NOACK
  }

  /// The position of a name in a list of names, each after its length; nil if it is not there. Source: RFC
  /// 7301, 3.1.
  private static func position(of name: String, in offered: UnsafeBufferPointer<UInt8>) -> Int? {
    var rest = offered[...]
    while let size = rest.first, rest.count > Int(size) {
      let found = rest.dropFirst().prefix(Int(size))
      if found.elementsEqual(name.utf8) { return found.startIndex }
      rest = rest.dropFirst(Int(size) + 1)
    }
    return nil
  }
}

/// A server's certificates: its own, and one of the authority per name, created when a client first asks for
/// it.
///
/// A class, because OpenSSL calls it back.
final class ServerCertificates {
  var own: OwnCertificate?
  private let authority: CertificateAuthority
  private var issued: [String: Certificate] = [:]
  private lazy var defaultCertificate = authority.certificate(for: nil)

  init(_ authority: CertificateAuthority, own: OwnCertificate?) {
    self.authority = authority
    self.own = own
  }

  /// Sets a context's default certificate and its issuer. Returns false on failure.
  func configure(_ context: OpaquePointer) -> Bool {
    SSL_CTX_use_certificate(context, defaultCertificate.native) == 1
      && SSL_CTX_use_PrivateKey(context, defaultCertificate.key) == 1
      && cossl_add_to_chain(context, authority.issuer.native) == 1
  }

  /// Selects the certificate for the name that a client asks for, or sends an alert for an unknown name.
  static func selectCertificate(
    _ session: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let session, let argument, let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else {
      return SSL_TLSEXT_ERR_NOACK
    }
    let certificates = Unmanaged<ServerCertificates>.fromOpaque(argument).takeUnretainedValue()
    let requested = String(cString: name).lowercased()
    // Addresses are not allowed here (RFC 6066, 3), but some clients send them.
    if certificates.authority.isLoopback(requested) { return SSL_TLSEXT_ERR_NOACK }
    guard certificates.covers(requested) else {
      alert?.pointee = SSL_AD_UNRECOGNIZED_NAME
      return SSL_TLSEXT_ERR_ALERT_FATAL
    }
    guard certificates.select(for: requested, in: session) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    if certificates.authority.scope.withClientCertificates.contains(requested) {
      // Asks for a certificate, and accepts any, or none: the owner of the routes decides.
      SSL_set_verify(session, SSL_VERIFY_PEER) { _, _ in 1 }
    }
    return SSL_TLSEXT_ERR_OK
  }

  /// False for the hosts of providers that are not known to speak HTTP/2.
  static func offersHTTP2(_ session: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Bool {
    guard let session, let argument, let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name) else {
      return true
    }
    let scope = Unmanaged<ServerCertificates>.fromOpaque(argument).takeUnretainedValue().authority.scope
    let requested = String(cString: name).lowercased()
    return !scope.contains(requested) || scope.offersHTTP2(requested)
  }

  private func covers(_ name: String) -> Bool { own?.covers(name) ?? false || authority.covers(name) }

  private func select(for name: String, in session: OpaquePointer) -> Bool {
    if let own, own.covers(name) { return own.select(for: session) }
    let certificate = certificate(for: name)
    return cossl_use_certificate(session, certificate.native, certificate.key) == 1
      && cossl_add_to_session_chain(session, authority.issuer.native) == 1
  }

  /// Clients can make up names that match a pattern, so a full cache is emptied.
  private func certificate(for name: String) -> Certificate {
    if let known = issued[name] { return known }
    if issued.count >= Self.limit { issued.removeAll() }
    let certificate = authority.certificate(for: name)
    issued[name] = certificate
    return certificate
  }

  /// More than the providers' host names.
  private static let limit = 1000
}

/// Why a TLS connection failed, or a certificate could not be read.
package struct TLSError: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// True if the peer does not use TLS.
  package let isPlaintext: Bool

  init(_ description: String, isPlaintext: Bool = false) {
    self.description = description
    self.isPlaintext = isPlaintext
  }

  /// The first error in OpenSSL's queue. Clears the queue.
  static func openSSL(doing: String) -> TLSError {
    let code = ERR_get_error()
    ERR_clear_error()
    if cossl_is_refused_name(code) != 0 { return TLSError("\(doing) failed: unknown server name") }
    guard code != 0, let reason = ERR_reason_error_string(code) else { return TLSError("\(doing) failed") }
    return TLSError("\(doing) failed: \(String(cString: reason))")
  }
}
