import Database

/// How much of what is over a sandbox keeps: messages, events, webhooks, silent sessions, challenges
/// and what has ended of verifications and devices.
package struct History: Equatable, Sendable {
  /// How old a row may grow, on the sandbox's clock.
  package var age = Duration.seconds(7 * 86_400)
  /// How many ordinals back a row may lie; a verification with its message takes about five.
  package var span = 1_000_000
  /// How often age is looked at, on the sandbox's clock.
  static let interval = Duration.seconds(3600)
  /// How many ordinals beyond `span` are let pass before rows are removed.
  static let stride = 512

  /// Seven days, a million ordinals.
  package init() {}

  /// The ordinal before which a sandbox has grown too long.
  func horizonByCount(of sandbox: Sandbox) -> Int { sandbox.newestOrdinal - span }

  /// The ordinal before which everything that is over may go: behind the last row that is too old.
  ///
  /// Not the first young row's own, because what it is about was numbered shortly before it. Each table is
  /// read from its end only, so a sweep costs what it removes and no more.
  func horizon(of sandbox: Sandbox, now: Timestamp) throws -> Int {
    let young = try sandbox.database.first(
      """
      SELECT min(ordinal) FROM (
        SELECT * FROM (
          SELECT ordinal FROM events WHERE sandbox = ?1 AND at >= ?2 ORDER BY ordinal LIMIT 1)
        UNION ALL SELECT * FROM (
          SELECT ordinal FROM verifications WHERE sandbox = ?1 AND created_at >= ?2 ORDER BY ordinal LIMIT 1)
        UNION ALL SELECT * FROM (
          SELECT ordinal FROM messages WHERE sandbox = ?1 AND submitted_at >= ?2 ORDER BY ordinal LIMIT 1)
        UNION ALL SELECT * FROM (
          SELECT ordinal FROM webhooks WHERE sandbox = ?1 AND created_at >= ?2 ORDER BY ordinal LIMIT 1))
      """, sandbox.id, (now - age).milliseconds
    ) { $0.optionalInt(0) }
    let old = try sandbox.database.first(
      """
      SELECT max(ordinal) FROM (
        SELECT * FROM (
          SELECT ordinal FROM events WHERE sandbox = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT 1)
        UNION ALL SELECT * FROM (
          SELECT ordinal FROM verifications WHERE sandbox = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT 1)
        UNION ALL SELECT * FROM (
          SELECT ordinal FROM messages WHERE sandbox = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT 1)
        UNION ALL SELECT * FROM (
          SELECT ordinal FROM webhooks WHERE sandbox = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT 1))
      """, sandbox.id, (young ?? nil) ?? Int.max
    ) { $0.optionalInt(0) }
    return max(((old ?? nil) ?? 0) + 1, horizonByCount(of: sandbox))
  }

  /// Removes what lies between two ordinals and is over at a time; what waits stays.
  func forget(_ range: Range<Int>, of sandbox: Sandbox, at now: Timestamp) throws {
    let database = sandbox.database
    try database.run(
      "DELETE FROM messages WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM calls WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM events WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM silent_sessions WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND expires_at <= ?",
      sandbox.id, range.lowerBound, range.upperBound, now.milliseconds)
    try database.run(
      "DELETE FROM pushes WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM push_attempts WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM challenges WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND expires_at <= ?",
      sandbox.id, range.lowerBound, range.upperBound, now.milliseconds)
    try database.run(
      "DELETE FROM devices WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND ending IS NOT NULL",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM verifications WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND state <> 'pending'",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      """
      DELETE FROM steps WHERE sandbox = ?1 AND verification >= ?2 AND verification < ?3
        AND NOT EXISTS (SELECT 1 FROM verifications WHERE sandbox = ?1 AND ordinal = steps.verification)
      """, sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM webhooks WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND state <> 'pending'",
      sandbox.id, range.lowerBound, range.upperBound)
  }
}
