import Crypto
import HTTP
import Loop

/// One request to another server and its answer; a class because the stream calls it back.
///
/// ```
/// look up ──> may it go there? ──> connect ──> TLS handshake ──> send, read ──> over
///                  │ no                │ next address                  │ time is up
///                  └──> refused        └──> failed                     └──> failed
/// ```
final class OutgoingExchange {
  /// What it is in the middle of, as sentences about its end have it.
  enum Stage: String {
    case lookingUp = "looking up the host"
    case connecting = "connecting"
    case shakingHands = "shaking hands for TLS"
    case awaiting = "waiting for the answer"
    case over
  }

  let url: AbsoluteURL
  var stage = Stage.lookingUp
  var stream: TCPStream?
  var session: TLSSession?
  var parser: ResponseParser
  private(set) var request: [UInt8]
  private let client: HTTPClient
  private let timeout: Duration
  private var then: ((HTTPClient.Outcome) -> Void)?
  private var addresses: ArraySlice<SocketAddress> = []
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

  /// Looks the host up, or goes on at once with a literal address.
  func start() {
    do throws(LoopError) {
      limit = try Timer(client.loop) { [unowned self] in timeOut() }
      limit?.arm(after: timeout)
      let literal = SocketAddress(host: url.host, port: url.port)
      if literal.isLiteral { return proceed(to: [literal]) }
      try NameLookup.find(url.host, port: url.port, on: client.loop) { [weak self] outcome in
        switch outcome {
        case .success(let addresses): self?.proceed(to: addresses)
        case .failure(let error): self?.fail(error.description)
        }
      }
    } catch {
      fail(error.description)
    }
  }

  private func proceed(to found: [SocketAddress]) {
    guard stage == .lookingUp else { return }
    if let reason = client.configuration.destinations.refusal(of: url.host, at: found) {
      return finish(.refused(reason))
    }
    addresses = found[...]
    stage = .connecting
    connect(after: LoopError(code: 0, doing: "looking up \(url.host)"))
  }

  /// Tries the next address; when there is none, the last failure is everybody's.
  private func connect(after failure: LoopError) {
    guard let address = addresses.popFirst() else {
      return fail(failure.code == 0 ? "\(url.host) has no address" : failure.description)
    }
    do throws(LoopError) {
      stream = try TCPStream(client.loop, to: address) { [weak self] error in self?.connected(error) }
    } catch {
      connect(after: error)
    }
  }

  private func connected(_ error: LoopError?) {
    guard stage == .connecting, let stream else { return }
    if let error {
      stream.close()
      return connect(after: error)
    }
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
    fail("no answer within \(timeout), which ended while \(stage.rawValue)")
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
    stream?.close()
    stream = nil
  }
}
