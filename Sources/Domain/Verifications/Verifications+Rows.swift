import Basics
package import Database

extension Verifications {
  package func find(_ ordinal: Int) throws -> Verification? {
    noted(try row(ordinal))
  }

  /// Like `find`, but the current request need not be about the verification.
  func row(_ ordinal: Int) throws -> Verification? {
    if let cached = sandbox.derived.verifications.find(ordinal) { return cached }
    let found = try sandbox.database.first(
      Verification.self, "WHERE key = ?", sandbox.key(ordinal))
    if let found { sandbox.derived.verifications.insert(found) }
    return found
  }

  /// Remembers which verification the current request is about.
  private func noted(_ verification: Verification?) -> Verification? {
    if let verification { sandbox.currentVerification = verification.ordinal }
    return verification
  }

  /// The newest verification of a claim, except those denied before anything was sent.
  package func latest(_ claim: Claim) throws -> Verification? {
    noted(
      try sandbox.newest(Verification.self, to: claim.destination) {
        $0.claim == claim && !$0.attempts.isEmpty
      })
  }

  /// The newest verification of a destination, of all owners, except those denied before anything was sent.
  func newest(_ provider: String, to destination: String) throws -> Verification? {
    try sandbox.newest(Verification.self, to: destination) {
      $0.claim.provider == provider && !$0.attempts.isEmpty
    }
  }

  /// Deletes all verifications of an owner. Scans all rows, because owners are rarely deleted.
  package func deleteAll(ofOwner owner: String, provider: String) throws {
    try sandbox.database.run(
      "DELETE FROM verifications WHERE key > ? AND key < ? AND provider = ? AND owner = ?", sandbox.key(0),
      sandbox.key(.max), provider, owner)
    sandbox.derived.verifications.removeAll()
  }

  /// Replaces the provider data of a verification.
  package func save(_ details: ProviderDetails, with verification: Verification) throws {
    let isChanged = change(verification) { $0.details = details }
    guard !isChanged else { return }
    try sandbox.database.run(
      "UPDATE verifications SET details = ? WHERE key = ?", details.text, sandbox.key(verification.ordinal))
  }

  /// Verifications between two ordinals, oldest first, at most `limit`.
  package func all(
    of provider: String? = nil, after ordinal: Int = 0, before end: Int = .max, limit: Int = 1000
  ) throws -> [Verification] {
    try sandbox.database.all(
      Verification.self,
      "WHERE key > ?1 AND key < ?2 AND (?3 IS NULL OR provider = ?3) ORDER BY key LIMIT ?4",
      sandbox.key(ordinal), sandbox.key(end), provider, limit)
  }

  /// The verifications of one destination between two ordinals, oldest first, of a provider or of all.
  package func all(
    of provider: String?, to destination: String, after ordinal: Int, before end: Int = .max, limit: Int
  ) throws -> [Verification] {
    try sandbox.oldestFirst(Verification.self, to: destination, after: ordinal, before: end, limit: limit) {
      provider == nil || $0.claim.provider == provider
    }
  }

  /// The newest verifications up to `limit`, newest first, of a provider or of all.
  package func newest(
    _ limit: Int, of provider: String? = nil, before ordinal: Int = .max
  ) throws -> [Verification] {
    if let provider { return try list(provider, before: ordinal, limit: limit) }
    return try sandbox.database.all(
      Verification.self, "WHERE key > ? AND key < ? ORDER BY key DESC LIMIT ?", sandbox.key(0),
      sandbox.key(ordinal), limit)
  }

  /// A provider's verifications before an ordinal, newest first.
  package func list(_ provider: String, before ordinal: Int, limit: Int) throws -> [Verification] {
    try sandbox.database.all(
      Verification.self, "WHERE key > ? AND key < ? AND provider = ? ORDER BY key DESC LIMIT ?",
      sandbox.key(0), sandbox.key(ordinal), provider, limit)
  }

  /// A provider's verifications of one destination before an ordinal, newest first.
  package func list(
    _ provider: String, of destination: String, before ordinal: Int, limit: Int
  ) throws -> [Verification] {
    try sandbox.newestFirst(Verification.self, to: destination, before: ordinal, limit: limit) {
      $0.claim.provider == provider
    }
  }

  /// `isLate`: the request will change it before it ends.
  func insert(_ verification: Verification, isLate: Bool = false) throws {
    sandbox.currentVerification = verification.ordinal
    sandbox.countEvent()
    if isLate {
      try sandbox.database.insertLate(verification, of: sandbox.id)
    } else {
      try sandbox.database.insert(verification, of: sandbox.id)
    }
    sandbox.derived.verifications.insert(verification)
    try sandbox.destinations.add(.verification, verification.ordinal, of: verification.claim.destination)
  }

  func update(_ verification: Verification) throws {
    sandbox.currentVerification = verification.ordinal
    let isChanged = change(verification) { $0.takeState(of: verification) }
    guard !isChanged else { return }
    try sandbox.database.run(
      """
      UPDATE verifications SET channel = ?, state = ?, code = ?, checks = ?, updated_at = ?, attempts = ?
      WHERE key = ?
      """,
      verification.channel.rawValue, verification.state.rawValue, verification.code, verification.checks,
      verification.updatedAt.milliseconds, verification.attempts.column, sandbox.key(verification.ordinal))
  }

  /// Changes a verification in memory. Returns false if its row is written already and has to be changed.
  func change(_ verification: Verification, _ change: (inout Verification) -> Void) -> Bool {
    let ordinal = verification.ordinal
    sandbox.derived.verifications.change(ordinal, change)
    return sandbox.database.changeLate(Verification.self, where: { $0.ordinal == ordinal }, change)
  }
}

extension Verification {
  /// Takes what `Verifications.update` writes.
  fileprivate mutating func takeState(of other: Verification) {
    channel = other.channel
    state = other.state
    code = other.code
    checks = other.checks
    updatedAt = other.updatedAt
    attempts = other.attempts
  }
}

extension Verification: TableRow {
  package static let table: StaticString = "verifications"
  package static let columns: StaticString = """
    ordinal, provider, owner, destination, series, channel, state, code, checks, created_at, updated_at,
    expires_at, attempts, details
    """
  package static let hasRecordKey = true

  package init(from row: inout ColumnReader) throws(DatabaseError) {
    self.init(
      ordinal: row.int(),
      claim: Claim(provider: row.text(), owner: row.text(), destination: row.text()),
      series: row.int(), channel: try Channel(row.text()),
      state: try State(column: row.text(), "the state of a verification"), code: row.text(),
      checks: row.int(), createdAt: row.time(), updatedAt: row.time(), expiresAt: row.time(),
      attempts: Attempts(column: row.text()), details: ProviderDetails(row.text()))
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(claim.provider)
    row.write(claim.owner)
    row.write(claim.destination)
    row.write(series)
    row.write(channel.rawValue)
    row.write(state.rawValue)
    row.write(code)
    row.write(checks)
    row.write(createdAt.milliseconds)
    row.write(updatedAt.milliseconds)
    row.write(expiresAt.milliseconds)
    row.write(attempts.column)
    row.write(details.text)
  }
}
