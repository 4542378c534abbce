import Basics
package import Database

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
    /// Only challenges with a lower one.
    package var before = Int.max

    package init() {}
  }

  /// The newest challenges up to `limit`, oldest first.
  package func all(_ filter: Filter, limit: Int = 1000) throws -> [Challenge] {
    try sandbox.database.all(
      Challenge.self,
      """
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR holder = ?3) AND (?4 IS NULL OR provider = ?4)
        AND (?5 IS NULL OR reference = ?5) AND (?6 = 0 OR push IS NOT NULL) AND ordinal < ?8
      ORDER BY ordinal DESC LIMIT ?7
      """, sandbox.id, filter.after, filter.holder, filter.provider, filter.reference, filter.isPushed, limit,
      filter.before
    ).reversed()
  }

  /// The newest challenges that came without a push, of one person or all; oldest first.
  package func withoutPush(of holder: String? = nil, limit: Int) throws -> [Challenge] {
    try sandbox.database.all(
      Challenge.self,
      """
      WHERE sandbox = ?1 AND push IS NULL AND (?2 IS NULL OR holder = ?2) ORDER BY ordinal DESC LIMIT ?3
      """, sandbox.id, holder, limit
    ).reversed()
  }

  /// The challenges after an ordinal, oldest first.
  package func page(after ordinal: Int, limit: Int) throws -> [Challenge] {
    try sandbox.database.all(
      Challenge.self, "WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?", sandbox.id, ordinal, limit
    )
  }

  /// The newest challenge with a reference.
  package func latest(about reference: String, provider: String) throws -> Challenge? {
    try sandbox.database.first(
      Challenge.self,
      """
      INDEXED BY challenges_by_reference
      WHERE sandbox = ? AND reference = ? AND provider = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, reference, provider)
  }

  package func find(_ ordinal: Int) throws -> Challenge? {
    try sandbox.database.first(Challenge.self, "WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal)
  }

  /// The challenge of a push. A challenge gets its ordinal right before its push.
  package func find(push ordinal: Int) throws -> Challenge? {
    try sandbox.database.first(
      Challenge.self, "WHERE sandbox = ?1 AND ordinal < ?2 AND push = ?2 ORDER BY ordinal DESC LIMIT 1",
      sandbox.id, ordinal)
  }

  func insert(_ challenge: Challenge) throws {
    try sandbox.database.insert(challenge, of: sandbox.id)
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

extension Challenge: TableRow {
  package static let table: StaticString = "challenges"
  package static let columns: StaticString = """
    ordinal, provider, reference, holder, device, push, created_at, expires_at, answer, answered_at,
    default_reaction
    """

  package init(from row: inout ColumnReader) {
    self.init(
      ordinal: row.int(), provider: row.text(), reference: row.text(), holder: row.text(),
      device: row.optionalInt(), push: row.optionalInt(), createdAt: row.time(), expiresAt: row.time(),
      answer: row.optionalText().flatMap(Answer.init), answeredAt: row.optionalTime(),
      defaultReaction: row.optionalText().flatMap(PushReaction.init))
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(provider)
    row.write(reference)
    row.write(holder)
    row.write(device)
    row.write(push)
    row.write(createdAt.milliseconds)
    row.write(expiresAt.milliseconds)
    row.write(answer?.rawValue)
    row.write(answeredAt?.milliseconds)
    row.write(defaultReaction?.rawValue)
  }
}
