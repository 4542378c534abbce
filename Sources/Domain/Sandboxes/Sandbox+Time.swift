import Database

/// How time passes in a sandbox: by itself, or on a clockTarget to a time that somebody has set.
///
/// Work is done in order, each item at its own time. A webhook is work that ends outside: a clockTarget halts at the
/// time of an attempt, goes on when it has ended, and so comes past every retry that follows from it.
///
/// ```
/// 10:00 ──> 10:01 attempt … refused ──> 10:03 attempt … taken ──> 11:00
///           halt: the clock shows 10:01   halt                    clockTarget ends
/// ```
extension Sandbox {
  /// Does the work that is due by now, in order.
  package func catchUp() throws {
    let now = clock.now
    while let due = nextDue, due <= now { try runFirst(until: now) }
  }

  /// Moves the clock on, also from where a clockTarget under way will end.
  package func advance(by span: Duration) throws {
    try set(clockTo: (clockTarget ?? clock.now) + span)
  }

  /// Sets the clock; work that is due by then is done first. It may have to halt on the way: see `clockTarget`.
  package func set(clockTo time: Timestamp) throws {
    clockTarget = nil
    guard time > clock.now else { return try set(clock: clock.mode(showing: time)) }
    clockTarget = time
    try advanceToTarget()
  }

  /// Goes on with the clockTarget until it ends, or webhooks are under way again.
  package func advanceToTarget() throws {
    guard let target = clockTarget, try !webhooks.isReady else { return }
    while let due = nextDue, due <= target {
      try runFirst(until: target)
      guard try webhooks.isReady else { continue }
      return try show(due)
    }
    clockTarget = nil
    try show(target)
  }

  /// Changes how the clock runs; a clockTarget ends where it is.
  package func set(clock mode: SandboxClock.Mode) throws {
    clockTarget = nil
    try keep(clock: mode)
  }

  /// Does something at a time that the clock is on its way past: whoever asks is told that time.
  func showing(_ time: Timestamp, _ body: () throws -> Void) throws {
    let mode = clock.mode
    derived.clock.set(.frozen(time))
    defer { derived.clock.set(mode) }
    try body()
  }

  private func keep(clock mode: SandboxClock.Mode) throws {
    derived.clock.set(mode)
    wakeups.hasNewDueTime = true
    try database.run(
      "UPDATE sandboxes SET clock = ?, clock_value = ? WHERE id = ?", mode.word, mode.value, id)
    try catchUp()
  }

  /// Sets the clock on, never back: it may have run while it halted.
  private func show(_ time: Timestamp) throws {
    guard time > clock.now else { return try catchUp() }
    try keep(clock: clock.mode(showing: time))
  }

  private func runFirst(until time: Timestamp) throws {
    if let item = try agenda.takeFirst(dueBy: time) { try run(item, until: time) }
    derived.nextDue = try agenda.first?.dueAt
  }
}

extension SandboxClock.Mode {
  /// The mode's number in the database: milliseconds of the frozen time or of the shift.
  var value: Int64 {
    switch self {
    case .real: 0
    case .frozen(let time): time.milliseconds
    case .offset(let shift): shift.milliseconds
    }
  }

  /// Reads what `word` and `value` wrote.
  init(word: String, value: Int64) {
    switch word {
    case "frozen": self = .frozen(Timestamp(milliseconds: value))
    case "offset": self = .offset(.milliseconds(value))
    default: self = .real
    }
  }
}
