import Crypto
import HTTP
import Loop

/// What a connection does for a client that takes us for a proxy.
///
/// ```
/// CONNECT ──> passage? ──here──> 200 ──> first byte ──0x16──> TLS ──> requests
///                │ │                         └────else────────────> requests
///                │ └──outside──> Tunnel
///                └──refused──> the answer, and the end
/// ```
extension ClientConnection {
  /// Opens a tunnel, or says why not; what was sent behind CONNECT is never read as a request then.
  func pass(_ request: Request) {
    guard isProxy else { return refuse(.notProxy) }
    guard !isSurplus, !server.isDraining else {
      return refuse(server.application.refusal(.overload, for: request))
    }
    server.tick.hasChanges = true
    switch server.application.passage(for: request) {
    case .here: enterTunnel(request)
    case .outside(let place, let note): leave(to: place, note)
    case .refused(let response): refuse(response)
    }
  }

  /// Whether a request that names a whole URL is answered here; it leaves or is refused where not.
  func staysHere(_ message: RequestParser.Message) -> Bool {
    if case .tunnel = message.request.via { return true }
    switch server.application.passage(for: message.request) {
    case .here: return true
    case .outside where !isProxy: hold(.notProxy, for: message)
    case .outside(let place, let note):
      leave(to: place, asking: RequestEncoder.forward(message.request), note)
    case .refused(let response): hold(response, for: message)
    }
    return false
  }

  private func enterTunnel(_ request: Request) {
    isProxy = false
    parser = RequestParser(
      limits: server.configuration.limits, peer: request.peer, authority: request.host,
      origin: .tunnel(authorization: request.headers.bytes(of: "Proxy-Authorization").map(Array.init)))
    enter(.threshold, anew: true)
    due = .establishment
    markDirty()
  }

  private func leave(
    to place: Authority, asking request: [UInt8]? = nil, _ note: @escaping (Response?) -> Void
  ) {
    let tunnel = Tunnel(self, to: place, asking: request) { [server] answer in
      note(answer)
      server.touch()
    }
    self.tunnel = tunnel
    tunnel.start()
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
      noteHandshake(with: nil, failed: "\(error)")
      stream.close()
    }
  }

  /// The first byte of a TLS connection (RFC 8446, 5.1).
  private static let handshakeRecord: UInt8 = 0x16
}

extension Response {
  /// The answer to whoever takes a port that is no proxy for one, or the inside of a tunnel.
  fileprivate static let notProxy = Response.text(
    405, "Nothing leads out from here; the proxy is the main HTTP port.\n")
}

extension RequestOrigin {
  /// Whether nobody was taken for a proxy.
  var isDirect: Bool { if case .direct = self { true } else { false } }
}
