package import Basics
import Database

/// How time passes in a sandbox: with the wall clock, or by moving the clock to a target time.
///
/// Due work is run in order, each item at its own time. Webhooks need time outside of the sandbox. So a
/// moving clock stops when a webhook is due and continues when its attempt has ended. In this way it also
/// reaches every retry.
///
/// ```
/// 10:00 ──> 10:01 attempt … failed ──> 10:03 attempt … accepted ──> 11:00
///           the clock stops at 10:01   the clock stops              target
/// ```
extension Sandbox {
  /// Lets the event loop read `dueTime` again.
  func noteDueTime() { shared.wakeups.newDueTime(of: id) }

  /// The time of the next due work or of the sandbox's removal, on the machine's clock; nil for never.
  func dueTime(at now: Timestamp) -> Timestamp? {
    if isHeld { return nil }
    if hasWork { return now }
    if case .frozen = clock.mode { return removalTime }
    let due = nextDue.map { now + max(.zero, $0 - clock.now) }
    return [removalTime, due].compactMap(\.self).min()
  }

  /// Runs due work in order, at most some items, and for a short time. If more is due, requests wait while
  /// the next turns of the event loop run it: see `isBusy`.
  package func catchUp() throws {
    guard !isRunningItem else { return }
    let slice = TimeSlice(clock.wallClock)
    let now = clock.now
    var count = 0
    while let due = nextDue, due <= now {
      guard count == 0 || count < Self.itemsPerRequest && !slice.isOver else { return noteDueTime() }
      count += 1
      try runNextItem(until: now)
    }
  }

  private static let itemsPerRequest = 50

  /// Runs due and delayed work until the time slice is over.
  func work(in slice: TimeSlice) throws {
    let now = clock.now
    while let due = nextDue, due <= now, !slice.isOver { try runNextItem(until: now) }
    if hasDelayedWork { try advanceToTarget(in: slice) }
  }

  /// Moves the clock forward. If it is moving already, the span is added to its target.
  package func advance(by span: Duration) throws {
    try set(clockTo: (clockTarget ?? clock.now) + span)
  }

  /// Sets the clock, after running all work due by then. The clock may stop on the way: see `clockTarget`.
  package func set(clockTo time: Timestamp) throws {
    clockTarget = nil
    guard time > clock.now else { return try set(clock: clock.mode(showing: time)) }
    clockTarget = time
    try advanceToTarget()
  }

  /// Moves the clock towards its target, until it gets there, a webhook is ready, or much work was done. The
  /// rest of the work then follows in the next turn of the event loop, so that other requests wait only
  /// shortly.
  package func advanceToTarget() throws { try advanceToTarget(in: TimeSlice(clock.wallClock)) }

  private func advanceToTarget(in slice: TimeSlice) throws {
    hasDelayedWork = false
    guard let target = clockTarget, try !webhooks.isReady else { return }
    var count = 0
    while let due = nextDue, due <= target {
      guard count < Self.itemsPerTurn, !slice.isOver else {
        hasDelayedWork = true
        noteDueTime()
        return
      }
      count += 1
      try runNextItem(until: target)
      guard try webhooks.isReady else { continue }
      return try moveClock(to: due)
    }
    clockTarget = nil
    try moveClock(to: target)
  }

  private static let itemsPerTurn = 500

  /// Changes the clock's mode. A moving clock stops.
  package func set(clock mode: SandboxClock.Mode) throws {
    clockTarget = nil
    try save(mode)
  }

  /// Lets the clock run in real time, from a time on. It does not show the machine's time in between, at
  /// which everything would be due.
  package func run(clockFrom time: Timestamp) throws {
    try set(clock: .offset(clock.now - clock.machineTime))
    try set(clockTo: time)
  }

  /// Runs `body` with the clock showing an earlier time.
  func withClock(at time: Timestamp, _ body: () throws -> Void) throws {
    let mode = clock.mode
    derived.clock.set(.frozen(time))
    shownTime = time
    defer {
      derived.clock.set(mode)
      shownTime = nil
    }
    try body()
  }

  private func save(_ mode: SandboxClock.Mode) throws {
    derived.clock.set(mode)
    noteDueTime()
    if name == Sandboxes.defaultName { shared.registry.boards.markClock() }
    try database.run(
      "UPDATE sandboxes SET clock = ?, clock_value = ? WHERE id = ?", mode.word, mode.value, id)
    try catchUp()
  }

  /// Moves the clock forward, never back: in real time it may already be later.
  private func moveClock(to time: Timestamp) throws {
    guard time > clock.now else { return try catchUp() }
    try save(clock.mode(showing: time))
  }

  private func runNextItem(until time: Timestamp) throws {
    if let item = try agenda.removeFirst(dueBy: time) {
      isRunningItem = true
      let current = trace
      trace = item.trace
      defer { (isRunningItem, trace) = (false, current) }
      try agenda.run(item, until: time)
      derived.nextDue = try agenda.first?.dueAt
      // After all work of this moment, with its state.
      if derived.nextDue != item.dueAt { try withClock(at: item.dueAt) { try webhooks.render() } }
    } else {
      derived.nextDue = try agenda.first?.dueAt
    }
  }
}
