import Crypto
import HTTP
import Loop

// MARK: TLS

/// ```
/// stream ──received──> session ──receive──> parser
/// stream <───write──── session <───send──── encoder
/// ```
extension ClientConnection {
  /// Decrypts bytes. Answers handshake messages immediately and passes on the rest.
  func decrypt(_ bytes: UnsafeRawBufferPointer, with session: TLSSession) {
    do {
      try session.receive(bytes)
      try write(session.takeOutput())
      guard session.isEstablished else { return }
      if stage == .tlsHandshake {
        parser.connection.clientCertificate = session.clientCertificate
        if session.usesHTTP2 { startHTTP2() } else { enter(.idle) }
      }
      let plain = try session.read()
      try write(session.takeOutput())
      if !plain.isEmpty { plain.withUnsafeBytes { receive($0) } }
      if session.isAtEnd, !inputEnded, !stream.isClosing { streamReachedEnd(stream) }
    } catch let error as TLSError {
      reject(error, in: session)
    } catch {
      stream.close()
    }
  }

  /// Encrypts bytes if needed, and writes them.
  func send(_ bytes: [UInt8]) throws {
    guard let session else { return try write(bytes) }
    guard session.isEstablished else { return }
    try session.write(bytes)
    try write(session.takeOutput())
  }

  /// Closes the stream, with a TLS close_notify before.
  func close() {
    sendCloseNotify()
    stream.close()
  }

  func sendCloseNotify() {
    guard let session else { return }
    session.end()
    try? write(session.takeOutput())
  }

  private func recordTLSFailure(serverName: String?, _ why: String) {
    server.application.recordTLSFailure(serverName: serverName, from: parser.origin, why: why)
    server.markChanged()
  }

  /// Records a client that has said hello, and closes the connection when it has seen the certificate.
  func recordAbandonedHandshake() {
    guard stage == .tlsHandshake, let session, !session.awaitsHello, !stream.isClosing else { return }
    recordTLSFailure(
      serverName: session.requestedName, "the client closed the connection during the TLS handshake")
  }

  /// Closes a connection whose handshake failed: with an alert, or with HTTP text if the client does not use
  /// TLS.
  private func reject(_ error: TLSError, in session: TLSSession) {
    recordTLSFailure(serverName: session.requestedName, error.description)
    if error.isPlaintext {
      var output: [UInt8] = []
      ResponseEncoder.append(.plaintextOnTLSPort, for: .init(keepAlive: false), to: &output)
      try? write(output)
    } else {
      try? write(session.takeOutput())
    }
    stream.close()
  }

  private func write(_ bytes: [UInt8]) throws(LoopError) {
    try bytes.withUnsafeBufferPointer { bytes throws(LoopError) in
      try stream.write(UnsafeRawBufferPointer(bytes))
    }
  }
}

// MARK: Proxy

/// ```
/// CONNECT ──> proxy decision ──local──> 200 ──> first byte ──0x16──> TLS ──> requests
///                │ │                                └────else────────────> requests
///                │ └──forward──> Tunnel
///                └──denied──> response, then close
/// ```
extension ClientConnection {
  /// Handles CONNECT. Bytes after a rejected CONNECT are never parsed as a request.
  func handleConnect(_ request: Request) {
    guard isProxy else { return sendFinalResponse(.notAProxy) }
    guard !isOverLimit, !server.isDraining else {
      return sendFinalResponse(server.application.errorResponse(for: .overload, to: request))
    }
    server.batch.hasChanges = true
    switch server.application.proxyDecision(for: request) {
    case .local: openLocalTunnel(request)
    case .forward(let host, let onResponse): forward(to: host, onResponse)
    case .denied(let response):
      report(response, after: RequestHead(method: .connect, target: request.target, headers: request.headers))
      sendFinalResponse(response)
    }
  }

  /// Returns true if a request with an absolute URL is for this server. Otherwise forwards or rejects it.
  func handleLocally(_ message: RequestParser.Message) -> Bool {
    if case .tunnel = message.request.via { return true }
    switch server.application.proxyDecision(for: message.request) {
    case .local: return true
    case .forward where !isProxy: holdUntilCommit(.notAProxy, for: message)
    case .forward(let host, let onResponse):
      forward(to: host, sending: RequestEncoder.forward(message.request), onResponse)
    case .denied(let response): holdUntilCommit(response, for: message)
    }
    return false
  }

  private func openLocalTunnel(_ request: Request) {
    isProxy = false
    parser = RequestParser(
      limits: server.configuration.limits, peer: request.peer, authority: request.host,
      origin: .tunnel(authorization: request.headers.bytes(of: "Proxy-Authorization").map(Array.init)),
      acceptsHTTP2: keepAlive)
    enter(.tunnelOpened, restart: true)
    pendingInterim = .tunnelEstablished
    scheduleFlush()
  }

  private func forward(
    to host: Authority, sending request: [UInt8]? = nil, _ onResponse: @escaping (Response?) -> Void
  ) {
    let tunnel = Tunnel(self, to: host, sending: request) { [server] response in
      onResponse(response)
      server.markChanged()
    }
    self.tunnel = tunnel
    tunnel.start()
  }

  /// Starts TLS or plain HTTP inside a tunnel, depending on its first byte.
  func startTunnelProtocol(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.first == Self.tlsHandshakeRecord else {
      enter(.idle, restart: true)
      return parse(bytes)
    }
    do {
      let session = try TLSSession(server: server.application.tlsContext())
      self.session = session
      parser.scheme = "https"
      enter(.tlsHandshake, restart: true)
      decrypt(bytes, with: session)
    } catch {
      recordTLSFailure(serverName: nil, "\(error)")
      stream.close()
    }
  }

  /// The first byte of a TLS connection (RFC 8446, 5.1).
  private static let tlsHandshakeRecord: UInt8 = 0x16
}

extension Response {
  fileprivate static let plaintextOnTLSPort = Response.text(
    400, "This is the HTTPS port, and the request came without TLS.\n")
  /// For proxy requests on a port without proxy, or inside a tunnel.
  fileprivate static let notAProxy = Response.text(
    405, "Nothing leads out from here; the proxy is the main HTTP port.\n")
}

extension RequestOrigin {
  var isDirect: Bool { if case .direct = self { true } else { false } }
}
