import Database

/// The end of a verification's time.
///
/// Verifications with the same lifetime end in the order in which they began. So of each lifetime only the
/// first that waits stands on the agenda; when its time has come, the next takes its place. One that begins
/// after the clock was set back may end before the one that stands there, and is put beside it. So is one whose
/// end has moved: its old item finds it waiting still, and passes it over.
extension Verifications {
  /// Sees to it that the end of a new verification's time is noticed.
  func scheduleExpiry(of verification: Verification) throws {
    let lifetime = verification.expiresAt - verification.createdAt
    if let awaited = try sandbox.scheduledExpiries[lifetime], awaited <= verification.expiresAt { return }
    try schedule(lifetime, verification.ordinal, at: verification.expiresAt)
  }

  /// Ends a verification whose time is up, unless it has ended otherwise, and awaits the end of the next.
  func expire(_ item: Agenda.Item) throws {
    if var verification = try find(item.subject), verification.state == .pending,
      verification.expiresAt <= item.dueAt
    {
      verification.updatedAt = item.dueAt
      _ = try end(verification, as: .expired)
    }
    let lifetime = Duration.milliseconds(item.detail)
    guard lifetime != Self.moved else { return }
    sandbox.forget(awaited: lifetime)
    let next = try sandbox.database.first(
      """
      SELECT ordinal, expires_at FROM verifications
      WHERE sandbox = ? AND ordinal > ? AND state = 'pending' AND expires_at - created_at = ?
      ORDER BY ordinal LIMIT 1
      """, sandbox.id, item.subject, lifetime.milliseconds
    ) { (ordinal: $0.int(0), time: Timestamp(milliseconds: $0.int64(1))) }
    if let next { try schedule(lifetime, next.ordinal, at: next.time) }
  }

  /// Lets a verification wait until a time, where that is later than its end.
  func extend(_ verification: Verification, to end: Timestamp) throws {
    guard end > verification.expiresAt else { return }
    try move(verification, to: end)
    try schedule(Self.moved, verification.ordinal, at: end)
  }

  /// Ends a verification before its time: nothing is left by which it could be proven.
  func giveUp(_ verification: Verification, at time: Timestamp) throws {
    guard var verification = try find(verification.ordinal), verification.state == .pending else { return }
    try move(verification, to: time)
    verification.expiresAt = time
    verification.updatedAt = time
    _ = try end(verification, as: .expired)
  }

  /// Stands on the agenda where a lifetime does, for an end that has moved: no other end follows from it.
  private static let moved = Duration.zero

  private func move(_ verification: Verification, to end: Timestamp) throws {
    try sandbox.database.run(
      "UPDATE verifications SET expires_at = ? WHERE sandbox = ? AND ordinal = ?", end.milliseconds,
      sandbox.id, verification.ordinal)
  }

  private func schedule(_ lifetime: Duration, _ ordinal: Int, at time: Timestamp) throws {
    try sandbox.agenda.schedule(
      .expireVerification, on: ordinal, detail: Int(lifetime.milliseconds), at: time)
    if lifetime != Self.moved { sandbox.note(awaited: lifetime, at: time) }
  }
}

extension Sandbox {
  /// When the first verification of each lifetime that stands on the agenda ends.
  var scheduledExpiries: [Duration: Timestamp] {
    get throws {
      if let known = derived.scheduledExpiries { return known }
      let items = try agenda.details(of: .expireVerification)
      let ends = Dictionary(items.map { (Duration.milliseconds($0.detail), $0.dueAt) }, uniquingKeysWith: min)
      derived.scheduledExpiries = ends
      return ends
    }
  }

  fileprivate func note(awaited lifetime: Duration, at time: Timestamp) {
    derived.scheduledExpiries?[lifetime] = time
  }

  fileprivate func forget(awaited lifetime: Duration) { derived.scheduledExpiries?[lifetime] = nil }
}
