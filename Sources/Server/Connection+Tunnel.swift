import Crypto
import HTTP
import Loop

/// What a connection does for a client that takes us for a proxy.
///
/// ```
/// CONNECT ──> passage? ──here──> 200 ──> first byte ──0x16──> TLS ──> requests
///                │ refused                    └────else────────────> requests
///                └──> the answer, and the end
/// ```
extension Connection {
  /// Opens a tunnel that ends here, or says why not; what was sent behind CONNECT is never read as a request then.
  func pass(_ request: Request) {
    guard isProxy else { return refuse(.notProxy) }
    guard !isSurplus, !server.isDraining else {
      return refuse(server.application.refusal(.overload, for: request))
    }
    server.tick.hasChanges = true
    if let refusal = refusalOfPassage(request) { return refuse(refusal) }
    isProxy = false
    parser = RequestParser(
      limits: server.configuration.limits, peer: request.peer, authority: request.host,
      way: .tunnel(authorization: request.headers.bytes(of: "Proxy-Authorization").map(Array.init)))
    enter(.threshold, anew: true)
    due = .establishment
    markDirty()
  }

  /// Takes the first bytes inside a tunnel, which say whether TLS is spoken there.
  func cross(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.first == Self.handshakeRecord else {
      enter(.idle, anew: true)
      return read(bytes)
    }
    do {
      let session = try TLSSession(server: server.application.security())
      self.session = session
      parser.scheme = "https"
      enter(.handshake, anew: true)
      decrypt(bytes, by: session)
    } catch {
      server.application.noteHandshake(with: nil, failed: "\(error)")
      stream.close()
    }
  }

  /// Why a request that was sent as to a proxy goes nowhere; nil when it is answered here like any other.
  func refusalOfPassage(_ request: Request) -> Response? {
    if case .tunnel = request.way { return nil }
    switch server.application.passage(for: request) {
    case .here: return nil
    case .refused(let response): return response
    }
  }

  /// The first byte of a TLS connection (RFC 8446, 5.1).
  private static let handshakeRecord: UInt8 = 0x16
}

extension Response {
  /// The answer to CONNECT on a port that is no proxy, and inside a tunnel.
  fileprivate static let notProxy = Response.text(
    405, "CONNECT leads nowhere from here; the proxy is the main HTTP port.\n")
}
