import Database

/// Codes beyond the one that is sent and given back.
extension Verifications {
  /// Gives a silent sending its code, now that the data connection has proven the number; the code that it has
  /// where it was proven before, nil where the verification waits no longer.
  package func reveal(attempt number: Int, of ordinal: Int, length: Int) throws -> String? {
    guard var verification = try find(ordinal),
      let attempt = verification.attempts.all.first(where: { $0.number == number })
    else { return nil }
    if let code = attempt.code { return code }
    guard verification.isLive(at: sandbox.clock.now) else { return nil }
    let subscriber = try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] }
    let code = sandbox.codes.code(
      for: verification.claim, series: verification.series, attempt: number, length: length,
      subscriber: subscriber)
    verification.attempts = verification.attempts.giving(code, to: number)
    try update(verification)
    return code
  }

  /// Makes every code of a verification worthless; the next sending has a good one again.
  package func voidCodes(of verification: Verification) throws {
    var verification = verification
    verification.code = ""
    verification.attempts = verification.attempts.withoutCodes
    verification.updatedAt = sandbox.clock.now
    try update(verification)
  }
}

extension Verifications {
  /// Writes down that a verification is tried over a channel from a time on.
  func note(_ channel: Channel, of verification: Verification, at time: Timestamp) throws -> Verification {
    var verification = try find(verification.ordinal) ?? verification
    verification.channel = channel
    verification.updatedAt = time
    verification.attempts = verification.attempts.adding(channel, at: time)
    try update(verification)
    return verification
  }
}

/// What providers write and read beside the life of a verification.
extension Verifications {
  /// Writes down that a verification was refused before anything was sent; what waits for the destination is
  /// left alone.
  package func deny(_ claim: Claim, details: String) throws -> Verification {
    let now = sandbox.clock.now
    let verification = Verification(
      ordinal: sandbox.nextOrdinal(), claim: claim,
      series: try newest(claim.provider, to: claim.destination)?.series ?? 0, channel: .sms,
      state: .denied, code: "", checks: 0, createdAt: now, updatedAt: now, expiresAt: now, attempts: .none,
      details: details)
    try insert(verification)
    try sandbox.events.append(.verificationDenied, of: verification, at: now)
    return verification
  }

  /// Replaces what the provider keeps with a verification.
  package func keep(_ details: String, with verification: Verification) throws {
    try sandbox.database.run(
      "UPDATE verifications SET details = ? WHERE sandbox = ? AND ordinal = ?", details, sandbox.id,
      verification.ordinal)
  }

  /// Verifications of all providers or of one, oldest first: at most `limit` behind an ordinal.
  package func all(
    of provider: String? = nil, to destination: String? = nil, after ordinal: Int = 0, limit: Int = 1000
  ) throws -> [Verification] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, owner, destination, series, channel, state, code, checks, created_at,
        updated_at, expires_at, attempts, details FROM verifications
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR provider = ?3) AND (?4 IS NULL OR destination = ?4)
      ORDER BY ordinal LIMIT ?5
      """, sandbox.id, ordinal, provider, destination, limit, read: Verification.init(row:))
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

  /// Those of one destination.
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
}
