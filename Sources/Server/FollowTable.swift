import HTTP
import Loop

/// Connections whose client waits for an answer.
struct FollowTable {
  /// Rings when the first timeout ends.
  var timer: Timer?
  /// In no particular order.
  private(set) var waiting: [ClientConnection] = []
  private var armedFor = UInt64.max

  /// Adds a connection that has just begun to wait.
  mutating func add(_ connection: ClientConnection, until deadline: UInt64, now: UInt64) {
    connection.followSlot = waiting.count
    waiting.append(connection)
    arm(for: deadline, now: now)
  }

  /// Takes a connection out that waits no more; changes nothing when it did not wait.
  mutating func remove(_ connection: ClientConnection) {
    guard let slot = connection.followSlot else { return }
    connection.followSlot = nil
    let last = waiting.removeLast()
    if last !== connection {
      waiting[slot] = last
      last.followSlot = slot
    }
  }

  /// Sets the timer anew after it rang.
  mutating func rearm(now: UInt64) {
    armedFor = .max
    if let first = waiting.lazy.compactMap({ $0.follow?.deadline }).min() { arm(for: first, now: now) }
  }

  private mutating func arm(for deadline: UInt64, now: UInt64) {
    guard deadline < armedFor else { return }
    armedFor = deadline
    timer?.arm(after: .milliseconds(deadline > now ? Int64(deadline - now) : 0))
  }
}

extension Server {
  /// Asks every waiting answer again, since something may have changed; a drain lets none wait on.
  func answerFollows() {
    for connection in follows.waiting { connection.tryFollow() }
    if isDraining { for connection in follows.waiting { connection.endFollow() } }
  }

  /// Answers those whose timeout has ended.
  func endPatience() {
    let now = loop.milliseconds
    for connection in follows.waiting {
      if let follow = connection.follow, follow.deadline <= now { connection.endFollow() }
    }
    follows.rearm(now: now)
  }
}
