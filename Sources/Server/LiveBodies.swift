import HTTP
import Loop

/// The connections with live bodies, such as event streams.
///
/// ```
/// commit with changes ──> isDue, at most once per interval ──> end of tick: those with news continue
/// ```
/// The interval grows with the cost of those that continue, so that requests are not slowed down by many
/// streams, or by the board of a large room.
///
/// They continue after the commit of a tick, so no client sees what may still be undone. A client that reads
/// slowly keeps one piece in memory, and gets the next when it has read that.
struct LiveBodies {
  /// Fires when a change was too soon after the one before.
  var timer: Timer?
  /// Fires regularly while there are live bodies.
  var heartbeat: Timer?
  /// True if live bodies continue at the end of this tick.
  var isDue = false
  fileprivate var isBeat = false
  fileprivate var connections: [ObjectIdentifier: ClientConnection] = [:]
  /// The shortest time between two rounds, in milliseconds.
  private var interval: UInt64 = 0
  /// When live bodies last continued, in the loop's milliseconds.
  private var lastTime: UInt64 = 0
  private var isArmed = false

  fileprivate mutating func add(_ connection: ClientConnection, _ configuration: Server.Configuration) {
    interval = max(interval, configuration.liveBodyInterval.roundedUpMilliseconds)
    if connections.isEmpty {
      heartbeat?.arm(after: configuration.heartbeatInterval, every: configuration.heartbeatInterval)
    }
    connections[ObjectIdentifier(connection)] = connection
  }

  mutating func remove(_ connection: ClientConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil, connections.isEmpty else {
      return
    }
    heartbeat?.disarm()
  }

  /// Called after a commit with changes.
  mutating func changed(at now: UInt64) {
    guard !isArmed, !connections.isEmpty else { return }
    let age = now - lastTime
    if age >= interval { return isDue = true }
    isArmed = true
    timer?.arm(after: .milliseconds(Int64(interval - age)))
  }

  mutating func beat() { (isDue, isBeat) = (true, true) }

  /// Sets the time until the next round, after one in which live bodies of this `cost` continued.
  fileprivate mutating func pause(after cost: Int, _ configuration: Server.Configuration) {
    let share = UInt64(cost) * 1_000 / UInt64(max(1, configuration.liveBodiesPerSecond))
    let longest = configuration.maxLiveBodyInterval.roundedUpMilliseconds
    interval = max(configuration.liveBodyInterval.roundedUpMilliseconds, min(share, longest))
  }

  /// Takes what made the live bodies due.
  fileprivate mutating func take(at now: UInt64) -> (connections: [ClientConnection], isBeat: Bool) {
    lastTime = now
    defer { (isDue, isBeat, isArmed) = (false, false, false) }
    return (Array(connections.values), isBeat)
  }

  mutating func close() {
    timer?.close()
    heartbeat?.close()
    (timer, heartbeat) = (nil, nil)
  }
}

extension Server {
  /// Continues with a body whenever it has more. During a drain, it gets only what there is now.
  func addLiveBody(_ body: BodyPieces, of connection: ClientConnection) {
    if isDraining { body.finish() }
    liveBodies.add(connection, configuration)
  }

  func continueLiveBodies() {
    let (connections, isBeat) = liveBodies.take(at: loop.milliseconds)
    var cost = 0
    for connection in connections {
      if let continued = connection.continueLiveBodies(isBeat: isBeat) {
        cost += continued
      } else {
        liveBodies.remove(connection)
      }
    }
    liveBodies.pause(after: cost, configuration)
  }
}

extension ClientConnection {
  /// Continues with live bodies that have more. Returns their cost; nil if the connection has none.
  fileprivate func continueLiveBodies(isBeat: Bool) -> Int? {
    if let http2 { return http2.continueLiveBodies(isBeat: isBeat) }
    guard let pieces = unsentBody?.live else { return nil }
    if isBeat { pieces.beat() }
    guard pieces.hasNews else { return 0 }
    continueOutput()
    return pieces.cost
  }

  /// Ends a live body, which would otherwise go on for ever.
  func finishLiveBody() {
    guard let pieces = unsentBody?.live else { return }
    pieces.finish()
    continueOutput()
  }
}
