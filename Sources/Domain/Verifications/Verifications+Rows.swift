import Database

/// The rows behind verifications.
extension Verifications {
  /// The verification of this number.
  package func find(_ ordinal: Int) throws -> Verification? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Verification.init(row:))
  }

  /// The newest verification of a claim. What was refused before anything was sent hides none.
  package func latest(_ claim: Claim) throws -> Verification? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications INDEXED BY verifications_by_destination
      WHERE sandbox = ? AND provider = ? AND destination = ? AND owner = ? AND attempts <> ''
      ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, claim.provider, claim.destination, claim.owner, read: Verification.init(row:))
  }

  /// The newest verification of a destination with a provider, whoever owns it, but for those refused.
  func newest(_ provider: String, to destination: String) throws -> Verification? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications INDEXED BY verifications_by_destination
      WHERE sandbox = ? AND provider = ? AND destination = ? AND attempts <> ''
      ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, provider, destination, read: Verification.init(row:))
  }

  /// Forgets every verification of an owner that is no more. Looks at all rows: owners rarely go.
  package func forget(owner: String, provider: String) throws {
    try sandbox.database.run(
      "DELETE FROM verifications WHERE sandbox = ? AND provider = ? AND owner = ?", sandbox.id, provider,
      owner)
  }

  func insert(_ verification: Verification) throws {
    try sandbox.database.run(
      """
      INSERT INTO verifications (sandbox, ordinal, provider, owner, destination, series, channel, state, code,
        checks, created_at, updated_at, expires_at, attempts, details)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, verification.ordinal, verification.claim.provider, verification.claim.owner,
      verification.claim.destination, verification.series, verification.channel.rawValue,
      verification.state.rawValue, verification.code, verification.checks,
      verification.createdAt.milliseconds, verification.updatedAt.milliseconds,
      verification.expiresAt.milliseconds, verification.attempts.column, verification.details)
  }

  func update(_ verification: Verification) throws {
    try sandbox.database.run(
      """
      UPDATE verifications SET channel = ?, state = ?, code = ?, checks = ?, updated_at = ?, attempts = ?
      WHERE sandbox = ? AND ordinal = ?
      """,
      verification.channel.rawValue, verification.state.rawValue, verification.code, verification.checks,
      verification.updatedAt.milliseconds, verification.attempts.column, sandbox.id, verification.ordinal)
  }
}

extension Verification {
  /// Reads a row whose columns stand in the order of the table, without the sandbox.
  init(row: Row) {
    guard let state = State(rawValue: row.text(6)) else {
      preconditionFailure("the database holds no such state: \(row.text(6))")
    }
    self.init(
      ordinal: row.int(0),
      claim: Claim(provider: row.text(1), owner: row.text(2), destination: row.text(3)),
      series: row.int(4), channel: Channel(row.text(5)), state: state, code: row.text(7),
      checks: row.int(8), createdAt: Timestamp(milliseconds: row.int64(9)),
      updatedAt: Timestamp(milliseconds: row.int64(10)), expiresAt: Timestamp(milliseconds: row.int64(11)),
      attempts: Attempts(column: row.text(12)), details: row.text(13))
  }
}

extension Channel {
  /// A channel that the database holds.
  init(_ word: String) {
    guard let known = Channel(rawValue: word) else {
      preconditionFailure("the database holds no such channel: \(word)")
    }
    self = known
  }
}
