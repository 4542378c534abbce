import Database

/// The rows behind challenges.
extension Challenges {
  /// Which challenges are asked for.
  package struct Filter: Sendable {
    /// Only those put to this holder.
    package var holder: String?
    /// Only this provider's.
    package var provider: String?
    /// Only those about this.
    package var reference: String?
    /// Only those that a push has brought.
    package var isPushed = false
    /// Only those behind this ordinal.
    package var after = 0

    /// No restriction.
    package init() {}
  }

  /// Challenges, oldest first; the newest where there are too many.
  package func all(_ filter: Filter, limit: Int = 1000) throws -> [Challenge] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        habit
      FROM challenges
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR holder = ?3) AND (?4 IS NULL OR provider = ?4)
        AND (?5 IS NULL OR reference = ?5) AND (?6 = 0 OR push IS NOT NULL)
      ORDER BY ordinal DESC LIMIT ?7
      """, sandbox.id, filter.after, filter.holder, filter.provider, filter.reference, filter.isPushed, limit,
      read: Challenge.init(row:)
    ).reversed()
  }

  /// The newest challenge about something.
  package func latest(about reference: String, provider: String) throws -> Challenge? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        habit
      FROM challenges INDEXED BY challenges_by_reference
      WHERE sandbox = ? AND reference = ? AND provider = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, reference, provider, read: Challenge.init(row:))
  }

  /// The challenge of this number.
  package func find(_ ordinal: Int) throws -> Challenge? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        habit
      FROM challenges WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Challenge.init(row:))
  }

  /// The challenge that a push brought; challenges are numbered right before their push.
  package func find(push ordinal: Int) throws -> Challenge? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        habit
      FROM challenges WHERE sandbox = ?1 AND ordinal < ?2 AND push = ?2 ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, ordinal, read: Challenge.init(row:))
  }

  func insert(_ challenge: Challenge) throws {
    try sandbox.database.run(
      """
      INSERT INTO challenges (sandbox, ordinal, provider, reference, holder, device, push, created_at,
        expires_at, habit) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, challenge.ordinal, challenge.provider, challenge.reference, challenge.holder,
      challenge.device, challenge.push, challenge.createdAt.milliseconds, challenge.expiresAt.milliseconds,
      challenge.habit?.rawValue)
  }

  func update(_ challenge: Challenge) throws {
    try sandbox.database.run(
      """
      UPDATE challenges SET device = ?, expires_at = ?, answer = ?, answered_at = ?
      WHERE sandbox = ? AND ordinal = ?
      """,
      challenge.device, challenge.expiresAt.milliseconds, challenge.answer?.rawValue,
      challenge.answeredAt?.milliseconds, sandbox.id, challenge.ordinal)
  }
}

extension Challenge {
  fileprivate init(row: Row) {
    self.init(
      ordinal: row.int(0), provider: row.text(1), reference: row.text(2), holder: row.text(3),
      device: row.optionalInt(4), push: row.optionalInt(5), createdAt: Timestamp(milliseconds: row.int64(6)),
      expiresAt: Timestamp(milliseconds: row.int64(7)), answer: row.optionalText(8).flatMap(Answer.init),
      answeredAt: row.optionalInt64(9).map { Timestamp(milliseconds: $0) },
      habit: row.optionalText(10).flatMap(Habit.init))
  }
}
