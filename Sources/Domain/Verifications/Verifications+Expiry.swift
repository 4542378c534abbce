import Database

/// The end of a verification's time.
///
/// Verifications with the same lifetime end in the order in which they began. So of each lifetime only the
/// first that waits stands on the agenda; when its time has come, the next takes its place. One that begins
/// after the clock was set back may end before the one that stands there, and is put beside it.
extension Verifications {
  /// Sees to it that the end of a new verification's time is noticed.
  func awaitEnd(of verification: Verification) throws {
    let lifetime = verification.expiresAt - verification.createdAt
    if let awaited = try sandbox.awaitedEnds[lifetime], awaited <= verification.expiresAt { return }
    try schedule(lifetime, verification.ordinal, at: verification.expiresAt)
  }

  /// Ends a verification whose time is up, unless it has ended otherwise, and awaits the end of the next.
  func expire(_ item: Agenda.Item) throws {
    let lifetime = Duration.milliseconds(item.detail)
    sandbox.forget(awaited: lifetime)
    if var verification = try find(item.subject), verification.state == .pending {
      verification.updatedAt = item.dueAt
      _ = try end(verification, as: .expired)
    }
    let next = try sandbox.database.first(
      """
      SELECT ordinal, expires_at FROM verifications
      WHERE sandbox = ? AND ordinal > ? AND state = 'pending' AND expires_at - created_at = ?
      ORDER BY ordinal LIMIT 1
      """, sandbox.id, item.subject, lifetime.milliseconds
    ) { (ordinal: $0.int(0), time: Timestamp(milliseconds: $0.int64(1))) }
    if let next { try schedule(lifetime, next.ordinal, at: next.time) }
  }

  private func schedule(_ lifetime: Duration, _ ordinal: Int, at time: Timestamp) throws {
    try sandbox.agenda.schedule(
      .expireVerification, on: ordinal, detail: Int(lifetime.milliseconds), at: time)
    sandbox.note(awaited: lifetime, at: time)
  }
}

extension Sandbox {
  /// When the first verification of each lifetime that stands on the agenda ends.
  var awaitedEnds: [Duration: Timestamp] {
    get throws {
      if let known = awaitedEndsCopy { return known }
      let items = try agenda.details(of: .expireVerification)
      let ends = Dictionary(items.map { (Duration.milliseconds($0.detail), $0.dueAt) }, uniquingKeysWith: min)
      awaitedEndsCopy = ends
      return ends
    }
  }

  fileprivate func note(awaited lifetime: Duration, at time: Timestamp) { awaitedEndsCopy?[lifetime] = time }

  fileprivate func forget(awaited lifetime: Duration) { awaitedEndsCopy?[lifetime] = nil }
}
