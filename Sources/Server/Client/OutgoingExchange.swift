import Crypto
import HTTP
import Loop

/// One request to another server and its answer; a class because the stream calls it back.
///
/// ```
/// approach ──> TLS handshake ──> send, read ──> over
///    └──> refused or failed                │ time is up
///                                          └──> failed
/// ```
final class OutgoingExchange {
  /// What it is in the middle of, as sentences about its end have it.
  enum Stage: String {
    case approaching
    case shakingHands = "shaking hands for TLS"
    case awaiting = "waiting for the answer"
    case over
  }

  let url: AbsoluteURL
  var stage = Stage.approaching
  var stream: TCPStream?
  var session: TLSSession?
  var parser: ResponseParser
  private(set) var request: [UInt8]
  private let client: HTTPClient
  private let timeout: Duration
  private var then: ((HTTPClient.Outcome) -> Void)?
  private var approach: OutboundConnector?
  private var limit: Timer?

  init(
    _ client: HTTPClient, to url: AbsoluteURL, sending request: [UInt8], within timeout: Duration,
    then: @escaping (HTTPClient.Outcome) -> Void
  ) {
    self.client = client
    self.url = url
    self.request = request
    self.timeout = timeout
    self.then = then
    parser = ResponseParser(limits: client.configuration.limits)
  }

  /// Goes to the host.
  func start() {
    do throws(LoopError) {
      limit = try Timer(client.loop) { [unowned self] in timeOut() }
      limit?.arm(after: timeout)
    } catch {
      return fail(error.description)
    }
    let (host, destinations) = (url.host, client.configuration.destinations)
    let approach = OutboundConnector(client.loop, to: host, port: url.port) {
      destinations.refusal(of: host, at: $0)
    } then: { [unowned self] outcome in
      switch outcome {
      case .connected(let stream): begin(on: stream)
      case .refused(let reason): finish(.refused(reason))
      case .failed(let reason): fail(reason)
      }
    }
    self.approach = approach
    approach.start()
  }

  private func begin(on stream: TCPStream) {
    self.stream = stream
    do {
      try stream.start(owner: self)
      if url.isSecure { try shakeHands() } else { try send(request) }
    } catch {
      fail("\(error)")
    }
  }

  private func shakeHands() throws {
    stage = .shakingHands
    let isLiteral = SocketAddress(host: url.host, port: url.port).isLiteral
    session = try TLSSession(client: client.trust(), host: url.host, isLiteral: isLiteral)
    try flushSession()
  }

  func send(_ bytes: [UInt8]) throws {
    stage = .awaiting
    request = []
    guard let session else { return try write(bytes) }
    try session.write(bytes)
    try flushSession()
  }

  func flushSession() throws {
    if let output = session?.takeOutput(), !output.isEmpty { try write(output) }
  }

  private func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try stream?.write($0) }
  }

  private func timeOut() {
    let stage = stage == .approaching ? approach?.stage.rawValue : stage.rawValue
    fail("no answer within \(timeout), which ended while \(stage ?? "starting")")
  }

  func fail(_ reason: String) { finish(.failed(reason)) }

  /// Ends it and tells what came of it.
  func finish(_ outcome: HTTPClient.Outcome) {
    guard stage != .over else { return }
    let told = then
    abandon()
    client.remove(self)
    told?(outcome)
  }

  /// Ends it without a word.
  func abandon() {
    stage = .over
    then = nil
    limit?.close()
    approach?.abandon()
    stream?.close()
    stream = nil
  }
}
