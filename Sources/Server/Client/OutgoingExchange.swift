import Crypto
import HTTP
import Loop

/// One request to another server, and its response.
///
/// ```
/// kept connection ───────────────┐
/// connect ──> TLS handshake ──> send, read ──> finished
///    └──> denied or failed         └── timeout ──> failed
/// ```
/// A class, because its connection calls it back.
final class OutgoingExchange {
  /// Raw values complete "timed out while …".
  enum Stage: String {
    case connecting
    case handshake = "negotiating TLS"
    case awaitingResponse = "waiting for the response"
    case finished
  }

  private let url: AbsoluteURL
  private let receiver: String
  private var stage = Stage.connecting
  private var connection: OutgoingConnection?
  /// True on a connection of an earlier exchange, before the first byte of the response.
  private var isUnanswered = false
  private var parser: ResponseParser
  private let request: [UInt8]
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
    receiver = url.origin
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
    } catch {
      return fail(error.description)
    }
    if let why = client.configuration.destinations.denialReason(for: url.host) {
      return finish(.denied(why))
    }
    guard let kept = client.takeConnection(to: receiver) else { return connect() }
    kept.resume(for: self)
    (connection, isUnanswered) = (kept, true)
    do { try begin() } catch { connectAgain() }
  }

  private func connect() {
    stage = .connecting
    if let connecting = timeouts.connecting { stageLimit?.arm(after: connecting) }
    let (host, destinations) = (url.host, client.configuration.destinations)
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

  /// The receiver has closed a kept connection while the request was on its way, and has not taken it.
  private func connectAgain() {
    isUnanswered = false
    connection?.close()
    connection = nil
    connect()
  }

  private func startExchange(on stream: TCPStream) {
    do {
      let session = try url.isSecure ? startTLS() : nil
      let connection = OutgoingConnection(stream, session, to: receiver, of: client)
      self.connection = connection
      try connection.start(for: self)
      if connection.isReady { try begin() }
    } catch {
      if connection == nil { stream.close() }
      fail("\(error)")
    }
  }

  private func startTLS() throws -> TLSSession {
    stage = .handshake
    let isLiteral = SocketAddress(host: url.host, port: url.port).isLiteral
    return try TLSSession(client: client.tlsContext(), host: url.host, isLiteral: isLiteral)
  }

  /// Sends the request. Called when the connection is ready.
  func begin() throws {
    stage = .awaitingResponse
    watchSilence()
    try connection?.send(request)
  }

  func read(_ bytes: UnsafeRawBufferPointer) throws {
    isUnanswered = false
    watchSilence()
    if let response = try parser.read(bytes) { finish(.answered(response)) }
  }

  /// `why`: nil if the receiver has closed it.
  func connectionEnded(because why: String?) {
    if isUnanswered, connection?.hasUntakenBytes == true { return connectAgain() }
    if let why { return fail(why) }
    guard stage == .awaitingResponse else { return fail("the connection closed while \(stage.rawValue)") }
    do throws(MalformedResponse) {
      if let response = try parser.finish() { finish(.answered(response)) }
    } catch {
      fail(error.description)
    }
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
    if parser.mayContinue, let connection {
      self.connection = nil
      client.keep(connection)
    }
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
    connection?.close()
    connection = nil
  }
}
