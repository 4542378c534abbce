import Database

/// A silent verification: proof by mobile data that a handset has a number. A chain of redirects leads from
/// the provider through the operator's gateway and back. Source: `carrier.md` 2.2 and 4.5.
package struct SilentSession: Equatable, Sendable {
  /// A request to create a session.
  package struct Draft: Equatable, Sendable {
    package let provider: String
    /// The claimed number.
    package let number: PhoneNumber
    /// The ordinal of the verification.
    package let verification: Int
    /// The number of the verification's attempt, from 1.
    package var attempt = 1
    package let lifetime: Duration
    /// True if the session ends when the handset first returns; else each hop can be repeated until it
    /// expires.
    package let singleUse: Bool
    /// Where the gateway sends the handset: an absolute URL. `{token}` is replaced with the token.
    package internal(set) var returnURL: String
    /// Overrides the number's scenarios and record.
    package var outcome: SilentOutcome?
    /// Provider data: a JSON object that the core does not read.
    package var details = "{}"

    package init(
      provider: String, number: PhoneNumber, verification: Int, lifetime: Duration, singleUse: Bool,
      returnURL: String, outcome: SilentOutcome? = nil
    ) {
      self.provider = provider
      self.number = number
      self.verification = verification
      self.lifetime = lifetime
      self.singleUse = singleUse
      self.returnURL = returnURL
      self.outcome = outcome
    }
  }

  /// What the gateway has found out.
  package struct Finding: Equatable, Sendable {
    package let outcome: SilentOutcome
    /// Nil if unknown.
    package let handset: PhoneNumber?
    package let bearer: Bearer
  }

  package enum Status: Sendable {
    case live
    case expired
    /// The session is for single use and was used.
    case used
  }

  package let ordinal: Int
  /// The id in URLs: `s_` and 128 bits in base32.
  package let token: String
  /// Without an outcome; `returnURL` contains the token.
  package let draft: Draft
  package let createdAt: Timestamp
  package let expiresAt: Timestamp
  /// When a handset first requested the URL.
  package internal(set) var openedAt: Timestamp?
  /// The gateway's last finding.
  package internal(set) var finding: Finding?
  /// When the handset returned to the provider with the last finding.
  package internal(set) var finishedAt: Timestamp?
  /// The outcome set by a scenario or the draft; nil: the record decides.
  var plan: SilentOutcome?
  /// How many times the finding has changed. The grant depends on it.
  var findings: Int

  package func status(at time: Timestamp) -> Status {
    if draft.singleUse, finishedAt != nil { return .used }
    return time < expiresAt ? .live : .expired
  }

  /// What the provider learned; nil until the handset has returned.
  package var verdict: SilentVerdict? {
    finishedAt == nil ? nil : finding.map { SilentVerdict($0.outcome) }
  }
}

/// The gateway's answer to a handset.
package enum SilentIdentification: Equatable, Sendable {
  /// The SIM is known. The grant lets the provider learn its number; it is valid for this session only.
  case granted(String)
  /// The SIM is unknown, or the gateway fails.
  case refused(SilentOutcome)
  /// The session has expired or was used.
  case over
}

extension SilentSessions {
  /// Nil if there is no session with this token.
  package func find(_ token: String) throws -> SilentSession? {
    guard let ordinal = SilentToken.ordinal(of: token, in: sandbox) else { return nil }
    let session = try sandbox.database.first(
      """
      SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
        planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
      FROM silent_sessions WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal
    ) { try SilentSession(row: $0, token: token) }
    if let session { sandbox.currentVerification = session.draft.verification }
    return session
  }

  /// The sessions of a verification, oldest first.
  package func all(of verification: Int) throws -> [SilentSession] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
        planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
      FROM silent_sessions INDEXED BY silent_sessions_by_verification
      WHERE sandbox = ? AND verification = ? ORDER BY ordinal
      """, sandbox.id, verification
    ) { try SilentSession(row: $0, token: SilentToken.text(of: $0.int(0), in: sandbox)) }
  }

  /// The sessions after an ordinal, oldest first.
  func page(after ordinal: Int, limit: Int) throws -> [SilentSession] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
        planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
      FROM silent_sessions WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
      """, sandbox.id, ordinal, limit
    ) { try SilentSession(row: $0, token: SilentToken.text(of: $0.int(0), in: sandbox)) }
  }

  /// The newest sessions up to `limit`, oldest first.
  package func newest(_ limit: Int) throws -> [SilentSession] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
        planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
      FROM silent_sessions WHERE sandbox = ? ORDER BY ordinal DESC LIMIT ?
      """, sandbox.id, limit
    ) { try SilentSession(row: $0, token: SilentToken.text(of: $0.int(0), in: sandbox)) }.reversed()
  }

  package var latest: SilentSession? {
    get throws {
      try sandbox.database.first(
        """
        SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
          planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
        FROM silent_sessions WHERE sandbox = ? ORDER BY ordinal DESC LIMIT 1
        """, sandbox.id
      ) { try SilentSession(row: $0, token: SilentToken.text(of: $0.int(0), in: sandbox)) }
    }
  }

  func insert(_ session: SilentSession) throws {
    let draft = session.draft
    try sandbox.database.run(
      """
      INSERT INTO silent_sessions (sandbox, ordinal, provider, number, verification, attempt, created_at,
        expires_at, single_use, return_url, planned_outcome, details)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, session.ordinal, draft.provider, draft.number.description, draft.verification,
      draft.attempt, session.createdAt.milliseconds, session.expiresAt.milliseconds,
      draft.singleUse ? 1 : 0, draft.returnURL, session.plan?.rawValue, draft.details)
  }

  func update(_ session: SilentSession) throws {
    try sandbox.database.run(
      """
      UPDATE silent_sessions SET planned_outcome = ?, opened_at = ?, findings = ?, outcome = ?, handset = ?, bearer = ?,
        concluded_at = ? WHERE sandbox = ? AND ordinal = ?
      """,
      session.plan?.rawValue, session.openedAt?.milliseconds, session.findings,
      session.finding?.outcome.rawValue,
      session.finding?.handset?.description, session.finding?.bearer.rawValue,
      session.finishedAt?.milliseconds, sandbox.id, session.ordinal)
  }
}

extension SilentSession {
  fileprivate init(row: Row, token: String) throws(DatabaseError) {
    guard let number = PhoneNumber(row.text(2)) else {
      throw .damagedValue(row.text(2), expected: "a phone number")
    }
    var draft = Draft(
      provider: row.text(1), number: number, verification: row.int(3),
      lifetime: .milliseconds(row.int64(6) - row.int64(5)), singleUse: row.bool(7), returnURL: row.text(8))
    draft.attempt = row.int(4)
    draft.details = row.text(10)
    self.init(
      ordinal: row.int(0), token: token, draft: draft, createdAt: Timestamp(milliseconds: row.int64(5)),
      expiresAt: Timestamp(milliseconds: row.int64(6)),
      openedAt: row.optionalInt64(11).map { Timestamp(milliseconds: $0) }, finding: Finding(row: row),
      finishedAt: row.optionalInt64(16).map { Timestamp(milliseconds: $0) },
      plan: row.optionalText(9).flatMap(SilentOutcome.init), findings: row.int(12))
  }
}

extension SilentSession.Finding {
  fileprivate init?(row: Row) {
    guard let outcome = row.optionalText(13).flatMap(SilentOutcome.init),
      let bearer = row.optionalText(15).flatMap(Bearer.init)
    else { return nil }
    self.init(outcome: outcome, handset: row.optionalText(14).flatMap(PhoneNumber.init), bearer: bearer)
  }
}
