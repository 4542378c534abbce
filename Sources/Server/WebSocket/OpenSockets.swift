import HTTP
import Loop

/// All open WebSockets, in one group for each source.
///
/// After a commit, only the sockets of changed sources are updated, so those of other sandboxes cost nothing.
/// A class, because an updated socket sets the timer.
final class OpenSockets {
  /// The sockets of one source. A class, so that it can be changed in place.
  private final class Group {
    let source: WebSocket.Source?
    /// The source's count at the last update; nil if an update is needed.
    var changeCount: Int?
    /// In the order of their opening.
    var sockets: [SocketConnection] = []
    var byKey: [String: SocketConnection] = [:]

    init(_ source: WebSocket.Source?) { self.source = source }

    var sourceCount: Int { source?.changeCount() ?? 0 }

    func update() {
      let before = sourceCount
      guard changeCount != before else { return }
      var hasSent = false
      for socket in sockets where socket.update() { hasSent = true }
      // An update may change what the other sockets send.
      changeCount = hasSent ? before : sourceCount
    }
  }

  /// Fires at the earliest `updateAt`.
  var timer: Timer?
  private var groups: [ObjectIdentifier?: Group] = [:]
  private var armedFor = UInt64.max

  /// Adds a socket. Closes the older one with the same key.
  func add(_ socket: SocketConnection) {
    let group = groups[socket.source] ?? Group(socket.socket.source)
    groups[socket.source] = group
    group.sockets.append(socket)
    group.changeCount = nil
    guard let key = socket.socket.key else { return }
    let older = group.byKey.updateValue(socket, forKey: key)
    older?.close(older?.socket.whenReplaced ?? .replaced)
  }

  /// Does nothing if the socket was not added.
  func remove(_ socket: SocketConnection) {
    guard let group = groups[socket.source] else { return }
    group.sockets.removeAll { $0 === socket }
    if let key = socket.socket.key, group.byKey[key] === socket { group.byKey[key] = nil }
    if group.sockets.isEmpty { groups[socket.source] = nil }
  }

  /// Requires an update of the socket's group after the next commit.
  func markChanged(_ socket: SocketConnection) { groups[socket.source]?.changeCount = nil }

  /// Updates the sockets whose source has changed.
  func updateChanged() {
    guard !groups.isEmpty else { return }
    for group in groups.values { group.update() }
  }

  /// Updates the sockets whose time has come, and sets the timer again.
  func updateDue(now: UInt64) {
    armedFor = .max
    let sockets = groups.values.flatMap(\.sockets)
    for socket in sockets { if let time = socket.updateAt, time <= now { socket.update() } }
    if let first = sockets.lazy.compactMap(\.updateAt).min() { arm(for: first, now: now) }
  }

  func arm(for time: UInt64, now: UInt64) {
    guard time < armedFor else { return }
    armedFor = time
    timer?.arm(after: .milliseconds(time > now ? Int64(time - now) : 1))
  }
}

extension SocketConnection {
  fileprivate var source: ObjectIdentifier? { socket.source.map { ObjectIdentifier($0.object) } }
}

extension Server {
  func updateDueSockets() { sockets.updateDue(now: loop.milliseconds) }

  /// Tells the sockets whose closures ran that the tick is committed or undone.
  func endSocketUpdates() {
    var updated: [SocketConnection] = []
    swap(&updated, &batch.uncommittedSockets)
    for socket in updated { socket.endTick() }
  }
}
