import Database

extension Challenges {
  /// Selects challenges; nil matches all.
  package struct Filter: Sendable {
    package var holder: String?
    package var provider: String?
    package var reference: String?
    /// Only challenges with a push.
    package var isPushed = false
    /// Only challenges with a higher ordinal.
    package var after = 0

    package init() {}
  }

  /// The newest challenges up to `limit`, oldest first.
  package func all(_ filter: Filter, limit: Int = 1000) throws -> [Challenge] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        default_reaction
      FROM challenges
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR holder = ?3) AND (?4 IS NULL OR provider = ?4)
        AND (?5 IS NULL OR reference = ?5) AND (?6 = 0 OR push IS NOT NULL)
      ORDER BY ordinal DESC LIMIT ?7
      """, sandbox.id, filter.after, filter.holder, filter.provider, filter.reference, filter.isPushed, limit,
      read: Challenge.init(row:)
    ).reversed()
  }

  /// The challenges after an ordinal, oldest first.
  func page(after ordinal: Int, limit: Int) throws -> [Challenge] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        default_reaction
      FROM challenges WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
      """, sandbox.id, ordinal, limit, read: Challenge.init(row:))
  }

  /// The newest challenge with a reference.
  package func latest(about reference: String, provider: String) throws -> Challenge? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        default_reaction
      FROM challenges INDEXED BY challenges_by_reference
      WHERE sandbox = ? AND reference = ? AND provider = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, reference, provider, read: Challenge.init(row:))
  }

  package func find(_ ordinal: Int) throws -> Challenge? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        default_reaction
      FROM challenges WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Challenge.init(row:))
  }

  /// The challenge of a push. A challenge gets its ordinal right before its push.
  package func find(push ordinal: Int) throws -> Challenge? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
        default_reaction
      FROM challenges WHERE sandbox = ?1 AND ordinal < ?2 AND push = ?2 ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, ordinal, read: Challenge.init(row:))
  }

  func insert(_ challenge: Challenge) throws {
    try sandbox.database.run(
      """
      INSERT INTO challenges (sandbox, ordinal, provider, reference, holder, device, push, created_at,
        expires_at, default_reaction) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, challenge.ordinal, challenge.provider, challenge.reference, challenge.holder,
      challenge.device, challenge.push, challenge.createdAt.milliseconds, challenge.expiresAt.milliseconds,
      challenge.defaultReaction?.rawValue)
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
      defaultReaction: row.optionalText(10).flatMap(PushReaction.init))
  }
}
