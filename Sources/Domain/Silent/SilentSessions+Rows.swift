import Database

/// The rows behind silent sessions.
extension SilentSessions {
  /// The session of a token; nil when nobody gave it out.
  package func find(_ token: String) throws -> SilentSession? {
    guard let ordinal = SilentToken.ordinal(of: token, in: sandbox) else { return nil }
    return try sandbox.database.first(
      """
      SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
        planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
      FROM silent_sessions WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal
    ) { SilentSession(row: $0, token: token) }
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
    ) { SilentSession(row: $0, token: SilentToken.text(of: $0.int(0), in: sandbox)) }
  }

  /// The newest session of all.
  package var latest: SilentSession? {
    get throws {
      try sandbox.database.first(
        """
        SELECT ordinal, provider, number, verification, attempt, created_at, expires_at, single_use, return_url,
          planned_outcome, details, opened_at, findings, outcome, handset, bearer, concluded_at
        FROM silent_sessions WHERE sandbox = ? ORDER BY ordinal DESC LIMIT 1
        """, sandbox.id
      ) { SilentSession(row: $0, token: SilentToken.text(of: $0.int(0), in: sandbox)) }
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
      session.concludedAt?.milliseconds, sandbox.id, session.ordinal)
  }
}

extension SilentSession {
  fileprivate init(row: Row, token: String) {
    guard let number = PhoneNumber(row.text(2)) else {
      preconditionFailure("the database holds no such number: \(row.text(2))")
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
      concludedAt: row.optionalInt64(16).map { Timestamp(milliseconds: $0) },
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
