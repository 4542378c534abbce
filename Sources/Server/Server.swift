package import Crypto
import HTTP
package import Loop

/// Connections of all listeners and the tick they share; a class because callbacks come back to it.
///
/// ```
/// TCPStream ─ ClientConnection ─ RequestParser ─ Application ─ ResponseEncoder ─┐ held
/// end of tick: Application.endOfTick, then one write per connection ──────┘
/// ```
package final class Server {
  /// Connections over the limit that are still told so in the owner's words, as a share of the limit.
  private static let surplusShare = 8

  /// The loop that calls back.
  package let loop: EventLoop
  /// What clients are allowed.
  package let configuration: Configuration
  /// Whether no new connections are taken and open ones end with their next answer.
  package private(set) var isDraining = false
  /// Called once, when a drain is over; stops the loop unless something else is put here.
  package var whenDrained: () -> Void

  let application: any Application
  var tick = Tick()
  var follows: FollowTable
  private(set) var connections: [ClientConnection] = []
  private var listeners: [TCPListener] = []
  private var signals: [Signal] = []
  private var sweeper: Timer?
  private var drainLimit: Timer?

  /// A server that listens nowhere yet; keep it for as long as the loop runs.
  package init(
    _ loop: EventLoop, application: any Application, configuration: Configuration = Configuration()
  ) throws(LoopError) {
    self.loop = loop
    self.application = application
    self.configuration = configuration
    follows = FollowTable()
    // Weak, or a loop that ends of itself would keep the letter and the letter the loop.
    whenDrained = { loop.post { [weak loop] in loop?.stop() } }
    sweeper = try Timer(loop) { [unowned self] in sweep() }
    follows.timer = try Timer(loop) { [unowned self] in endPatience() }
    drainLimit = try Timer(loop) { [unowned self] in abortAll() }
    loop.onTick { [weak self] in self?.endTick() }
  }

  /// What one listener's connections may do.
  package struct ListenerOptions {
    /// Whether a connection may bring more than one request.
    package var persists = true
    /// Whether clients may ask for tunnels.
    package var isProxy = false
    /// What TLS is spoken by; nil for none.
    package var security: TLSContext?

    /// Many requests, no tunnels, no TLS.
    package init() {}
  }

  /// Serves this address; answers with the one really bound.
  @discardableResult
  package func listen(on address: SocketAddress, _ options: ListenerOptions = ListenerOptions())
    throws(LoopError)
    -> SocketAddress
  {
    let listener = try TCPListener(loop, on: address) { [unowned self] stream in accept(stream, options) }
    listeners.append(listener)
    return listener.address
  }

  /// Drains when the operating system asks the program to end; a second time ends it at once.
  package func drainOnSignals() throws(LoopError) {
    for kind in [Signal.Kind.interrupt, .terminate] {
      let signal = try Signal(loop, kind) { [unowned self] in
        if isDraining { abortAll() } else { drain() }
      }
      signals.append(signal)
    }
  }

  /// Says that something may have changed outside a request: ends the tick with a commit and asks
  /// the waiting answers again.
  package func touch() {
    loop.assertHere()
    tick.hasChanges = true
  }

  /// Takes no more connections, lets requests be answered, then calls `whenDrained`.
  package func drain() {
    loop.assertHere()
    guard !isDraining else { return }
    isDraining = true
    for listener in listeners { listener.close() }
    for connection in connections { connection.drain() }
    touch()
    drainLimit?.arm(after: configuration.drainTimeout)
    finishDrainIfEmpty()
  }

  private func accept(_ stream: TCPStream, _ options: ListenerOptions) {
    let limit = configuration.connectionLimit
    let isSurplus = connections.count >= limit
    guard connections.count < limit + limit / Self.surplusShare + 1, !isDraining else {
      return options.security == nil ? turnAway(stream) : stream.close()
    }
    let session: TLSSession?
    do throws(TLSError) {
      session = if let security = options.security { try TLSSession(server: security) } else { nil }
    } catch {
      return stream.close()
    }
    if connections.isEmpty { sweeper?.arm(after: sweepInterval, every: sweepInterval) }
    let connection = ClientConnection(
      self, stream, session, persists: options.persists, isProxy: options.isProxy, isSurplus: isSurplus,
      slot: connections.count)
    connections.append(connection)
    connection.start()
  }

  /// Answers before anything was asked; there is no room to wait for the question.
  private func turnAway(_ stream: TCPStream) {
    var answer: [UInt8] = []
    let response = Response.text(503, "The server has no room for another connection.\n")
    ResponseEncoder.append(response, for: .init(persists: false), to: &answer)
    answer.withUnsafeBytes { try? stream.write($0) }
    stream.close()
  }

  /// Forgets a connection whose stream is gone.
  func remove(_ connection: ClientConnection) {
    follows.remove(connection)
    let last = connections.removeLast()
    if last !== connection {
      connections[connection.slot] = last
      last.slot = connection.slot
    }
    if connections.isEmpty { sweeper?.disarm() }
    finishDrainIfEmpty()
  }

  private func finishDrainIfEmpty() {
    guard isDraining, connections.isEmpty else { return }
    for signal in signals { signal.close() }
    for timer in [sweeper, drainLimit, follows.timer] { timer?.close() }
    (sweeper, drainLimit, follows.timer) = (nil, nil, nil)
    whenDrained()
    whenDrained = {}
  }

  private func abortAll() {
    for connection in connections { connection.abort() }
  }

  private func sweep() {
    for connection in connections { connection.checkTime() }
  }

  /// A quarter of the shortest time-out, so that none is late by more than that.
  private var sweepInterval: Duration {
    let shortest = min(
      configuration.headTimeout, configuration.bodyTimeout, configuration.idleTimeout,
      configuration.writeTimeout, configuration.lingerTimeout, configuration.connectTimeout,
      configuration.tunnelTimeout)
    return min(.seconds(1), max(.milliseconds(2), shortest / 4))
  }
}
