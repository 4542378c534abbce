package import Crypto
package import HTTP
package import Loop

/// Answers requests. All methods are called on the loop's thread and must not block.
package protocol Application: AnyObject {
  /// The maximum body size of this route in bytes. Called for chunked bodies, and for those over the general
  /// limit.
  func bodyLimit(for head: RequestHead) -> Int
  /// Returns the response, or a pending one. A failed `commit` can still undo its effects.
  func respond(to request: Request) -> Reply
  /// Decides what happens to a request that was sent to the server as a proxy.
  func proxyDecision(for request: Request) -> ProxyDecision
  /// The TLS context of secure listeners and of tunnels that end here. Called when a client starts TLS.
  func tlsContext() throws -> TLSContext
  /// Commits the effects of all requests of this tick. Returns false if nothing was committed.
  func commit() -> Bool
  /// The response to a request that cannot be served: `internalError` after a failed commit, `overload` if
  /// the server is full.
  func errorResponse(for failure: RequestFailure, to request: Request) -> Response
  /// The response to a malformed or incomplete request. `head` is what is known of its head; nil if not even
  /// its path is.
  func response(to error: MalformedRequest, after head: RequestHead?) -> Response
  /// Records a failed TLS handshake. `serverName` is the name that the client asked for.
  func recordTLSFailure(serverName: String?, from origin: RequestOrigin, why: String)
  /// Records a turn of the event loop that was longer than all before it, or is slow.
  func recordTurn(_ turn: LoopTurn)
  /// Records that a client's connection was reset because it did not read its responses.
  func recordSlowReader(_ reader: SlowReader)
  /// Records that so many connections were refused because there are too many. Called once a minute at most.
  func recordOverload(refused: Int, open: Int)
}

/// Owns the listeners and connections.
///
/// ```
/// TCPStream ─> ClientConnection ─> RequestParser ─> Application ─> ResponseEncoder ─┐ held until commit
/// end of tick: Application.commit, then one write per connection  <─────────────────┘
/// ```
package final class Server {
  /// Limits and timeouts for clients.
  package struct Configuration: Sendable {
    package var limits = Limits()
    /// Connections served at once. A few more get the application's error response.
    package var connectionLimit = 10_000
    /// Connections are also refused before the process has as many descriptors.
    package var descriptorLimit = OpenFiles.limit
    /// From the first byte of a request to the end of its head. Error 408.
    package var headTimeout = Duration.seconds(10)
    /// From the end of the head to the end of the body, plus the time that `bodyRate` allows. Error 408.
    package var bodyTimeout = Duration.seconds(10)
    /// The minimum rate of a body in bytes per second, after `bodyTimeout`.
    package var bodyRate = 4_096
    /// How long a connection may stay open without a request.
    package var idleTimeout = Duration.seconds(75)
    /// How long a client may accept no bytes.
    package var writeTimeout = Duration.seconds(30)
    /// How long connecting to a remote host may take. Error 504.
    package var connectTimeout = Duration.seconds(10)
    /// The hosts that tunnels may reach; nil for all to which the application forwards. Error 403.
    package var tunnelDestinations: Destinations?
    /// How long a tunnel to a remote host may be idle.
    package var tunnelTimeout = Duration.seconds(300)
    /// How long input is still accepted after our side was closed, and how long a close of a WebSocket may
    /// stay unconfirmed.
    package var lingerTimeout = Duration.seconds(2)
    /// The shortest time between two looks at event streams, so that many changes cost them one.
    package var liveBodyInterval = Duration.milliseconds(100)
    /// After a round in which many event streams continued, or costly ones, the next is as much later as this
    /// rate asks for, but at most `maxLiveBodyInterval`.
    package var liveBodiesPerSecond = 300
    package var maxLiveBodyInterval = Duration.seconds(1)
    /// An event stream without events for this long gets a heartbeat.
    package var heartbeatInterval = Duration.seconds(15)
    /// How long a drain waits for requests in progress.
    package var drainTimeout = Duration.seconds(10)
    /// After SIGTERM, connections stay open that have been idle for less than this: a request may be on its
    /// way, and another server take over. After SIGINT, a person waits.
    package var drainGrace = Duration.milliseconds(100)
    /// How long a client that closed its side may wait for a response.
    package var halfClosedTimeout = Duration.seconds(60)
    /// A WebSocket without input for this long gets a ping. Without input for as long again, it is closed.
    package var pingInterval = Duration.seconds(30)
    /// The longest message of a WebSocket's client, in bytes. Close code 1009.
    package var socketMessageLimit = 4_096
    /// No further request is answered while more than this many bytes wait to be written. Larger bodies are
    /// written in pieces of this size.
    package var writeQueueLimit = 65_536
    /// The most bytes that all clients together may leave unread. Above it, the slowest readers are
    /// disconnected.
    package var unsentLimit = 64 << 20
    /// Requests that a client of HTTP/2 may have open at once.
    package var streamLimit = 128
    /// Pipelined requests, or requests of HTTP/2, that one connection may send per turn of the event loop.
    package var requestsPerTurn = 32
    /// A turn of the event loop that takes longer is logged.
    package var slowTurn = Duration.milliseconds(40)
    /// Reading pauses while more than this many bytes of later requests are buffered.
    package var readQueueLimit = 65_536

    package init() {}

    /// The connections for which there are descriptors, beside those refused, the files and the webhooks.
    package var possibleConnections: Int { descriptorLimit - 3 * descriptorReserve }

    fileprivate var descriptorReserve: Int { min(64, descriptorLimit / 8) }
  }

  /// What one listener's connections may do.
  package struct ListenerOptions {
    /// True if a connection may carry more than one request.
    package var keepAlive = true
    /// True if clients may use the listener as a proxy.
    package var isProxy = false
    /// True if connections begin with TLS.
    package var isSecure = false

    package init() {}
  }

  package let loop: EventLoop
  package let configuration: Configuration
  /// True if no new connections are accepted and open ones close after their next response.
  package private(set) var isDraining = false
  /// How long a connection must have been idle before a drain closes it.
  private(set) var drainGrace = Duration.zero
  /// True while no requests are answered. What arrives waits.
  package private(set) var isPaused = false
  /// Called with each answer; nil if nobody wants to know.
  package var onAnswer: ((SentAnswer) -> Void)?
  /// Called once after a drain. Stops the loop by default.
  package var onDrained: () -> Void

  let application: any Application
  var batch = GroupCommit()
  var pendingReplies = PendingReplies()
  let sockets = OpenSockets()
  var liveBodies = LiveBodies()
  var turns: TurnWatch
  var unsent = UnsentBytes()
  var idleMemory = IdleMemory()
  /// Connections whose next pipelined requests wait for the next turn.
  var delayedConnections: [ClientConnection] = []
  /// True while a continuation of `delayedConnections` is scheduled.
  var willContinueDelayed = false
  private(set) var connections: [ClientConnection] = []
  private var listeners: [TCPListener] = []
  private var signals: [Signal] = []
  private var timeoutTimer: Timer?
  /// The connections since the start.
  package private(set) var acceptedCount = 0
  /// Connections refused since the last report, and when the next may follow, in the loop's milliseconds.
  private var refused = (count: 0, nextReport: UInt64(0))
  private var drainTimer: Timer?

  /// Connections over the limit that still get the application's error response: one eighth of the limit.
  private static let overLimitFraction = 8
  /// In milliseconds.
  private static let refusalReportInterval: UInt64 = 60_000

  /// Creates a server without listeners. It must live as long as the loop runs.
  package init(
    _ loop: EventLoop, application: any Application, configuration: Configuration = Configuration()
  ) throws(LoopError) {
    self.loop = loop
    self.application = application
    self.configuration = configuration
    turns = TurnWatch(slow: configuration.slowTurn.roundedUpMilliseconds)
    // Weak, because the loop stores the closure: otherwise it would retain itself.
    onDrained = { loop.post { [weak loop] in loop?.stop() } }
    timeoutTimer = try Timer(loop) { [unowned self] in enforceTimeouts() }
    pendingReplies.timer = try Timer(loop) { [unowned self] in timeOutPendingReplies() }
    idleMemory.timer = try Timer(loop) { [unowned self] in idleMemory.returnUnused() }
    drainTimer = try Timer(loop) { [unowned self] in abortAll() }
    sockets.timer = try Timer(loop) { [unowned self] in updateDueSockets() }
    liveBodies.timer = try Timer(loop) { [unowned self] in liveBodies.isDue = true }
    liveBodies.heartbeat = try Timer(loop) { [unowned self] in liveBodies.beat() }
    idleMemory.noteUse()
    loop.onTickEnd { [weak self] in self?.commitAndFlush() }
    loop.onTurnEnd = { [weak self] start, duration, worked in
      guard let self, let turn = self.turns.end(of: start, after: duration, worked: worked) else { return }
      self.application.recordTurn(turn)
    }
  }

  /// Listens on an address and returns the bound one.
  @discardableResult
  package func listen(
    on address: SocketAddress, _ options: ListenerOptions = ListenerOptions()
  ) throws(LoopError) -> SocketAddress {
    let listener = try TCPListener(loop, on: address) { [unowned self] stream in accept(stream, options) }
    listeners.append(listener)
    return listener.address
  }

  /// Listens on a socket that another process has bound, and returns its address.
  @discardableResult
  package func listen(
    onSocket descriptor: Int32, _ options: ListenerOptions = ListenerOptions()
  ) throws(LoopError) -> SocketAddress {
    let listener = try TCPListener(loop, socket: descriptor) { [unowned self] in accept($0, options) }
    listeners.append(listener)
    return listener.address
  }

  /// Drains on SIGINT or SIGTERM. A second signal closes all connections immediately.
  package func drainOnSignals() throws(LoopError) {
    for kind in [Signal.Kind.interrupt, .terminate] {
      let signal = try Signal(loop, kind) { [unowned self] in
        if isDraining { return abortAll() }
        drain(after: kind == .terminate ? configuration.drainGrace : .zero)
      }
      signals.append(signal)
    }
  }

  /// Calls back on SIGHUP, instead of ending the process.
  package func onHangUp(_ reload: @escaping () -> Void) throws(LoopError) {
    signals.append(try Signal(loop, .hangUp, action: reload))
  }

  /// Reports a change outside a request. The tick then ends with a commit and a check of all pending replies.
  package func markChanged() {
    loop.assertOnThread()
    batch.hasChanges = true
  }

  /// Answers no requests until `resume`, for work on another thread that must not meet them.
  package func pause() {
    loop.assertOnThread()
    isPaused = true
  }

  package func resume() {
    loop.assertOnThread()
    isPaused = false
    continueDelayedNextTurn()
    // What became due meanwhile is done after the commit.
    markChanged()
  }

  /// Stops accepting connections, finishes requests in progress, then calls `onDrained`. Connections that
  /// have been idle for less than `grace` stay open for the rest of it.
  package func drain(after grace: Duration = .zero) {
    loop.assertOnThread()
    guard !isDraining else { return }
    isDraining = true
    drainGrace = grace
    for listener in listeners { listener.close() }
    for connection in connections { connection.drain() }
    if grace > .zero, !connections.isEmpty {
      timeoutTimer?.arm(after: grace, every: min(grace, timeoutInterval))
    }
    markChanged()
    drainTimer?.arm(after: configuration.drainTimeout)
    finishDrainIfEmpty()
  }

  private func accept(_ stream: TCPStream, _ options: ListenerOptions) {
    acceptedCount += 1
    let limit = configuration.connectionLimit
    // The operating system gives out the lowest number that is free.
    let freeDescriptors = configuration.descriptorLimit - stream.descriptor
    let isOverLimit = connections.count >= limit || freeDescriptors <= 2 * configuration.descriptorReserve
    if isOverLimit {
      refused.count += 1
      reportRefused()
    }
    guard connections.count < limit + limit / Self.overLimitFraction + 1,
      freeDescriptors > configuration.descriptorReserve, !isDraining
    else {
      return options.isSecure ? stream.close() : rejectOverload(stream)
    }
    var session: TLSSession?
    if options.isSecure {
      do {
        session = try TLSSession(
          server: application.tlsContext(), isLoopback: stream.local?.isLoopback ?? true)
      } catch {
        application.recordTLSFailure(
          serverName: nil, from: .direct, why: "\(error)")
        return stream.close()
      }
    }
    if connections.isEmpty { timeoutTimer?.arm(after: timeoutInterval, every: timeoutInterval) }
    let connection = ClientConnection(
      self, stream, session, keepAlive: options.keepAlive, isProxy: options.isProxy,
      isOverLimit: isOverLimit, index: connections.count)
    connections.append(connection)
    connection.start()
  }

  func reportRefused() {
    guard refused.count > 0, loop.milliseconds >= refused.nextReport else { return }
    application.recordOverload(refused: refused.count, open: connections.count)
    refused = (0, loop.milliseconds + Self.refusalReportInterval)
  }

  /// Responds without reading a request, because there is no room to wait for one.
  private func rejectOverload(_ stream: TCPStream) {
    var output: [UInt8] = []
    let response = Response.text(503, "The server has no room for another connection.\n")
    ResponseEncoder.append(response, for: .init(keepAlive: false), to: &output)
    output.withUnsafeBytes { try? stream.write($0) }
    stream.close()
  }

  /// Removes a connection whose stream is closed.
  func remove(_ connection: ClientConnection) {
    liveBodies.remove(connection)
    unsent.returnMemory()
    let last = connections.removeLast()
    if last !== connection {
      connections[connection.index] = last
      last.index = connection.index
    }
    if connections.isEmpty { timeoutTimer?.disarm() }
    finishDrainIfEmpty()
  }

  private func finishDrainIfEmpty() {
    guard isDraining, connections.isEmpty else { return }
    for signal in signals { signal.close() }
    for timer in [timeoutTimer, drainTimer, pendingReplies.timer, sockets.timer, idleMemory.timer] {
      timer?.close()
    }
    (timeoutTimer, drainTimer, pendingReplies.timer, sockets.timer) = (nil, nil, nil, nil)
    idleMemory.timer = nil
    liveBodies.close()
    onDrained()
    onDrained = {}
  }

  private func abortAll() {
    for connection in connections { connection.abort() }
  }
}
