package import Basics
package import Database
package import Domain
package import Numbers

/// A silent verification: proof by mobile data that a handset has a number. A chain of redirects leads from
/// the provider through the operator's gateway and back. Source: `carrier.md` 2.2 and 4.5.
package struct SilentSession: Equatable, Sendable {
  /// A request to create a session.
  package struct Draft: Equatable, Sendable {
    package let provider: String
    /// The claimed number; nil: the one of whichever handset opens the URL.
    package var number: PhoneNumber?
    /// The ordinal of the verification. A session without one gets its own ordinal.
    package internal(set) var verification: Int
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

    /// Stands for the ordinal of the session, until it is created.
    static let ownOrdinal = -1

    /// Without a verification and a claim.
    package init(provider: String, lifetime: Duration, singleUse: Bool, returnURL: String) {
      self.provider = provider
      verification = Self.ownOrdinal
      self.lifetime = lifetime
      self.singleUse = singleUse
      self.returnURL = returnURL
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
  package fileprivate(set) var token: String
  /// Without an outcome; `returnURL` contains the token.
  package let draft: Draft
  package let createdAt: Timestamp
  package internal(set) var expiresAt: Timestamp
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

  /// The claimed number; without one, that of the handset that was found.
  package var number: PhoneNumber? { draft.number ?? finding?.handset }

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
      SilentSession.self, "WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal)
    if let session { sandbox.currentVerification = session.draft.verification }
    return session?.with(token: token)
  }

  /// The sessions of a verification, oldest first.
  package func all(of verification: Int) throws -> [SilentSession] {
    try sandbox.database.all(
      SilentSession.self,
      """
      INDEXED BY silent_sessions_by_verification
      WHERE sandbox = ? AND verification = ? ORDER BY ordinal
      """, sandbox.id, verification
    ).map(withToken)
  }

  /// The sessions after an ordinal, oldest first.
  package func page(after ordinal: Int, limit: Int) throws -> [SilentSession] {
    try sandbox.database.all(
      SilentSession.self, "WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?", sandbox.id, ordinal,
      limit
    ).map(withToken)
  }

  /// The newest sessions up to `limit`, oldest first.
  package func newest(_ limit: Int, before ordinal: Int = .max) throws -> [SilentSession] {
    try sandbox.database.all(
      SilentSession.self, "WHERE sandbox = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT ?", sandbox.id,
      ordinal, limit
    ).reversed().map(withToken)
  }

  package var latest: SilentSession? { get throws { try newest(1).first } }

  private func withToken(_ session: SilentSession) -> SilentSession {
    session.with(token: SilentToken.text(of: session.ordinal, in: sandbox))
  }

  func insert(_ session: SilentSession) throws {
    try sandbox.database.insert(session, of: sandbox.id)
  }

  func update(_ session: SilentSession) throws {
    try sandbox.database.run(
      """
      UPDATE silent_sessions SET expires_at = ?, planned_outcome = ?, opened_at = ?, findings = ?, outcome = ?,
        handset = ?, bearer = ?, concluded_at = ? WHERE sandbox = ? AND ordinal = ?
      """,
      session.expiresAt.milliseconds, session.plan?.rawValue, session.openedAt?.milliseconds,
      session.findings,
      session.finding?.outcome.rawValue,
      session.finding?.handset?.description, session.finding?.bearer.rawValue,
      session.finishedAt?.milliseconds, sandbox.id, session.ordinal)
  }
}

extension SilentSession: TableRow {
  package static let table: StaticString = "silent_sessions"
  package static let columns: StaticString = """
    ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
    planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
    """

  /// Without the token, which follows from the ordinal and the sandbox.
  package init(from row: inout ColumnReader) throws(DatabaseError) {
    let (ordinal, provider, text) = (row.int(), row.text(), row.text())
    let number = PhoneNumber(text)
    guard number != nil || text.isEmpty else { throw .damagedValue(text, expected: "a phone number") }
    let (verification, attempt, createdAt, expiresAt) = (row.int(), row.int(), row.time(), row.time())
    var draft = Draft(
      provider: provider, lifetime: expiresAt - createdAt, singleUse: row.bool(), returnURL: row.text())
    (draft.number, draft.verification) = (number, verification)
    let plan = row.optionalText().flatMap(SilentOutcome.init)
    draft.attempt = attempt
    draft.details = row.text()
    let (openedAt, findings) = (row.optionalTime(), row.int())
    let finding = Finding(from: &row)
    self.init(
      ordinal: ordinal, token: "", draft: draft, createdAt: createdAt, expiresAt: expiresAt,
      openedAt: openedAt, finding: finding, finishedAt: row.optionalTime(), plan: plan, findings: findings)
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(draft.provider)
    row.write(draft.number?.description ?? "")
    row.write(draft.verification)
    row.write(draft.attempt)
    row.write(createdAt.milliseconds)
    row.write(expiresAt.milliseconds)
    row.write(draft.singleUse)
    row.write(draft.returnURL)
    row.write(plan?.rawValue)
    row.write(draft.details)
    row.write(openedAt?.milliseconds)
    row.write(findings)
    row.write(finding?.outcome.rawValue)
    row.write(finding?.handset?.description)
    row.write(finding?.bearer.rawValue)
    row.write(finishedAt?.milliseconds)
  }

  fileprivate func with(token: String) -> SilentSession {
    var session = self
    session.token = token
    return session
  }
}

extension SilentSession.Finding {
  fileprivate init?(from row: inout ColumnReader) {
    let (outcome, handset, bearer) = (row.optionalText(), row.optionalText(), row.optionalText())
    guard let outcome = outcome.flatMap(SilentOutcome.init), let bearer = bearer.flatMap(Bearer.init) else {
      return nil
    }
    self.init(outcome: outcome, handset: handset.flatMap(PhoneNumber.init), bearer: bearer)
  }
}
