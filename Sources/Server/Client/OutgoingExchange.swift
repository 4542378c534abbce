import Crypto
import HTTP
import Loop

/// One request to another server, and its response.
///
/// ```
/// connect ──> TLS handshake ──> send, read ──> finished
///    └──> denied or failed         └── timeout ──> failed
/// ```
/// A class, because the stream calls it back.
final class OutgoingExchange {
  /// Raw values complete "timed out while …".
  enum Stage: String {
    case connecting
    case handshake = "negotiating TLS"
    case awaitingResponse = "waiting for the response"
    case finished
  }

  private let url: AbsoluteURL
  private var stage = Stage.connecting
  private var stream: TCPStream?
  private var session: TLSSession?
  private var parser: ResponseParser
  private var request: [UInt8]
  private let client: HTTPClient
  private let timeouts: HTTPClient.Timeouts
  private var then: ((HTTPClient.Outcome) -> Void)?
  private var connector: OutboundConnector?
  private var limit: Timer?
  /// Ends the stage: that of connecting, or a pause in the response.
  private var stageLimit: Timer?

  init(
    _ client: HTTPClient, to url: AbsoluteURL, sending request: [UInt8], within timeouts: HTTPClient.Timeouts,
    then: @escaping (HTTPClient.Outcome) -> Void
  ) {
    self.client = client
    self.url = url
    self.request = request
    self.timeouts = timeouts
    self.then = then
    parser = ResponseParser(limits: client.configuration.limits)
  }

  func start() {
    do throws(LoopError) {
      limit = try Timer(client.loop) { [unowned self] in timeOut(after: timeouts.total) }
      limit?.arm(after: timeouts.total)
      stageLimit = try Timer(client.loop) { [unowned self] in
        timeOut(
          after: (stage == .awaitingResponse ? timeouts.silence : timeouts.connecting) ?? timeouts.total)
      }
      if let connecting = timeouts.connecting { stageLimit?.arm(after: connecting) }
    } catch {
      return fail(error.description)
    }
    let (host, destinations) = (url.host, client.configuration.destinations)
    if let why = destinations.denialReason(for: host) { return finish(.denied(why)) }
    let connector = OutboundConnector(client.loop, to: host, port: url.port) {
      destinations.denialReason(for: host, at: $0)
    } then: { [unowned self] outcome in
      switch outcome {
      case .connected(let stream): startExchange(on: stream)
      case .denied(let why): finish(.denied(why))
      case .failed(let why): fail(why)
      }
    }
    self.connector = connector
    connector.start()
  }

  private func startExchange(on stream: TCPStream) {
    self.stream = stream
    do {
      try stream.start(owner: self)
      if url.isSecure { try startTLS() } else { try send(request) }
    } catch {
      fail("\(error)")
    }
  }

  private func startTLS() throws {
    stage = .handshake
    let isLiteral = SocketAddress(host: url.host, port: url.port).isLiteral
    session = try TLSSession(client: client.tlsContext(), host: url.host, isLiteral: isLiteral)
    try flushSession()
  }

  private func send(_ bytes: [UInt8]) throws {
    stage = .awaitingResponse
    request = []
    watchSilence()
    guard let session else { return try write(bytes) }
    try session.write(bytes)
    try flushSession()
  }

  private func flushSession() throws {
    if let output = session?.takeOutput(), !output.isEmpty { try write(output) }
  }

  private func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try stream?.write($0) }
  }

  private func watchSilence() {
    if let silence = timeouts.silence { stageLimit?.arm(after: silence) } else { stageLimit?.disarm() }
  }

  private func timeOut(after timeout: Duration) {
    let stage = stage == .connecting ? connector?.stage.rawValue : stage.rawValue
    fail("timed out after \(timeout) while \(stage ?? "starting")")
  }

  private func fail(_ why: String) { finish(stage == .awaitingResponse ? .failed(why) : .unreachable(why)) }

  /// Stops and calls back.
  private func finish(_ outcome: HTTPClient.Outcome) {
    guard stage != .finished else { return }
    let callback = then
    cancel()
    client.remove(self)
    callback?(outcome)
  }

  /// Stops without calling back.
  func cancel() {
    stage = .finished
    then = nil
    limit?.close()
    stageLimit?.close()
    connector?.cancel()
    stream?.close()
    stream = nil
  }
}

// MARK: Reading

extension OutgoingExchange: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    guard stage != .finished else { return }
    do {
      if let session { try decrypt(bytes, with: session) } else { try read(bytes) }
    } catch {
      // Sends the TLS alert, if any.
      try? flushSession()
      fail("\(error)")
    }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    guard stage != .finished else { return }
    guard stage == .awaitingResponse else { return fail("the connection closed while \(stage.rawValue)") }
    do throws(MalformedResponse) {
      if let response = try parser.finish() { finish(.answered(response)) }
    } catch {
      fail(error.description)
    }
  }

  func streamDrained(_ stream: TCPStream) {}

  func stream(_ stream: TCPStream, failed error: LoopError) { fail(error.description) }

  func streamClosed(_ stream: TCPStream) {}

  private func decrypt(_ bytes: UnsafeRawBufferPointer, with session: TLSSession) throws {
    try session.receive(bytes)
    try flushSession()
    if stage == .handshake, session.isEstablished { try send(request) }
    try session.read().withUnsafeBytes { try read($0) }
    if session.isAtEnd, let stream { streamReachedEnd(stream) }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) throws(MalformedResponse) {
    watchSilence()
    if let response = try parser.read(bytes) { finish(.answered(response)) }
  }
}
