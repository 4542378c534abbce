import Database

extension Verifications {
  package func find(_ ordinal: Int) throws -> Verification? {
    noted(
      try sandbox.database.first(
        """
        SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
          updated_at, expires_at, attempts, details FROM verifications WHERE sandbox = ? AND ordinal = ?
        """, sandbox.id, ordinal, read: Verification.init(row:)))
  }

  /// Remembers which verification the current request is about.
  private func noted(_ verification: Verification?) -> Verification? {
    if let verification { sandbox.currentVerification = verification.ordinal }
    return verification
  }

  /// The newest verification of a claim, except those denied before anything was sent.
  package func latest(_ claim: Claim) throws -> Verification? {
    noted(
      try sandbox.database.first(
        """
        SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
          updated_at, expires_at, attempts, details FROM verifications INDEXED BY verifications_by_destination
        WHERE sandbox = ? AND provider = ? AND destination = ? AND owner = ? AND attempts <> ''
        ORDER BY ordinal DESC LIMIT 1
        """, sandbox.id, claim.provider, claim.destination, claim.owner, read: Verification.init(row:)))
  }

  /// The newest verification of a destination, of all owners, except those denied before anything was sent.
  func newest(_ provider: String, to destination: String) throws -> Verification? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications INDEXED BY verifications_by_destination
      WHERE sandbox = ? AND provider = ? AND destination = ? AND attempts <> ''
      ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, provider, destination, read: Verification.init(row:))
  }

  /// Deletes all verifications of an owner. Scans all rows, because owners are rarely deleted.
  package func deleteAll(ofOwner owner: String, provider: String) throws {
    try sandbox.database.run(
      "DELETE FROM verifications WHERE sandbox = ? AND provider = ? AND owner = ?", sandbox.id, provider,
      owner)
  }

  /// Replaces the provider data of a verification.
  package func save(_ details: String, with verification: Verification) throws {
    try sandbox.database.run(
      "UPDATE verifications SET details = ? WHERE sandbox = ? AND ordinal = ?", details, sandbox.id,
      verification.ordinal)
  }

  /// Verifications after an ordinal, oldest first, at most `limit`.
  package func all(
    of provider: String? = nil, after ordinal: Int = 0, limit: Int = 1000
  ) throws -> [Verification] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR provider = ?3) ORDER BY ordinal LIMIT ?4
      """, sandbox.id, ordinal, provider, limit, read: Verification.init(row:))
  }

  /// A provider's verifications of one destination after an ordinal, oldest first.
  package func all(
    of provider: String, to destination: String, after ordinal: Int, limit: Int
  ) throws -> [Verification] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications INDEXED BY verifications_by_destination
      WHERE sandbox = ? AND provider = ? AND destination = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
      """, sandbox.id, provider, destination, ordinal, limit, read: Verification.init(row:))
  }

  /// A provider's verifications before an ordinal, newest first.
  package func list(_ provider: String, before ordinal: Int, limit: Int) throws -> [Verification] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications
      WHERE sandbox = ? AND provider = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT ?
      """, sandbox.id, provider, ordinal, limit, read: Verification.init(row:))
  }

  /// A provider's verifications of one destination before an ordinal, newest first.
  package func list(
    _ provider: String, of destination: String, before ordinal: Int, limit: Int
  ) throws -> [Verification] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications INDEXED BY verifications_by_destination
      WHERE sandbox = ? AND provider = ? AND destination = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT ?
      """, sandbox.id, provider, destination, ordinal, limit, read: Verification.init(row:))
  }

  func insert(_ verification: Verification) throws {
    sandbox.currentVerification = verification.ordinal
    sandbox.countEvent()
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
    sandbox.currentVerification = verification.ordinal
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
  /// Reads a row with the columns in table order, without `sandbox`.
  init(row: Row) throws(DatabaseError) {
    let state = try State(column: row.text(6), "the state of a verification")
    self.init(
      ordinal: row.int(0),
      claim: Claim(provider: row.text(1), owner: row.text(2), destination: row.text(3)),
      series: row.int(4), channel: try Channel(row.text(5)), state: state, code: row.text(7),
      checks: row.int(8), createdAt: Timestamp(milliseconds: row.int64(9)),
      updatedAt: Timestamp(milliseconds: row.int64(10)), expiresAt: Timestamp(milliseconds: row.int64(11)),
      attempts: Attempts(column: row.text(12)), details: row.text(13))
  }
}

extension Channel {
  /// Reads a column.
  init(_ word: String) throws(DatabaseError) { try self.init(column: word, "a channel") }
}

extension RawRepresentable where RawValue == String {
  /// Reads a column. Only a damaged file has another value.
  init(column: String, _ expected: String) throws(DatabaseError) {
    guard let known = Self(rawValue: column) else { throw .damagedValue(column, expected: expected) }
    self = known
  }
}
