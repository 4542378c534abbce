import Database

extension Webhooks {
  /// Which webhooks are asked for.
  package struct Filter: Sendable {
    /// Only of this provider.
    package var provider: String?
    /// Only of this kind.
    package var kind: String?
    /// Only in this state.
    package var state: Webhook.State?
    /// Only those that are about what has this ordinal.
    package var subject: Int?
    /// Only those behind this ordinal.
    package var after = 0

    /// No restriction.
    package init() {}
  }

  /// Webhooks, oldest first; where there are more than `limit`, the oldest of them behind `after`.
  package func all(_ filter: Filter, limit: Int = 1000) throws -> [Webhook] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, kind, url, subject, detail, created_at, state, reason, next_at, ready_at, tries,
        fields, body FROM webhooks
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR provider = ?3) AND (?4 IS NULL OR kind = ?4)
        AND (?5 IS NULL OR state = ?5) AND (?6 IS NULL OR subject = ?6)
      ORDER BY ordinal LIMIT ?7
      """, sandbox.id, filter.after, filter.provider, filter.kind, filter.state?.rawValue, filter.subject,
      limit, read: Webhook.init(row:))
  }

  /// The webhook of this number.
  package func find(_ ordinal: Int) throws -> Webhook? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, kind, url, subject, detail, created_at, state, reason, next_at, ready_at, tries,
        fields, body FROM webhooks WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Webhook.init(row:))
  }

  /// What a provider wants told later about one thing, oldest first.
  package func planned(about subject: Int, by provider: String) throws -> [Webhook] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, kind, url, subject, detail, created_at, state, reason, next_at, ready_at, tries,
        fields, body FROM webhooks INDEXED BY webhooks_pending
      WHERE sandbox = ? AND state = 'pending' AND provider = ? AND subject = ? ORDER BY ordinal
      """, sandbox.id, provider, subject, read: Webhook.init(row:)
    ).filter(\.isPlanned)
  }

  /// The newest webhook.
  package var latest: Webhook? {
    get throws {
      try sandbox.database.first(
        """
        SELECT ordinal, provider, kind, url, subject, detail, created_at, state, reason, next_at, ready_at,
          tries, fields, body FROM webhooks WHERE sandbox = ? ORDER BY ordinal DESC LIMIT 1
        """, sandbox.id, read: Webhook.init(row:))
    }
  }

  /// The attempts of a webhook, oldest first.
  package func attempts(of ordinal: Int) throws -> [WebhookAttempt] {
    try sandbox.database.all(
      """
      SELECT number, at, status, error, answer FROM webhook_attempts
      WHERE sandbox = ? AND webhook = ? ORDER BY number
      """, sandbox.id, ordinal
    ) { row in
      let result: WebhookAttempt.Result =
        if let status = row.optionalInt(2) {
          .answered(status: status, body: row.text(4))
        } else {
          .unanswered(reason: row.optionalText(3) ?? "")
        }
      return WebhookAttempt(number: row.int(0), at: Timestamp(milliseconds: row.int64(1)), result: result)
    }
  }

  func select(ready limit: Int) throws -> [Webhook] {
    try sandbox.database.all(
      """
      SELECT ordinal, provider, kind, url, subject, detail, created_at, state, reason, next_at, ready_at, tries,
        fields, body FROM webhooks INDEXED BY webhooks_ready
      WHERE sandbox = ? AND ready_at IS NOT NULL ORDER BY ready_at, ordinal LIMIT ?
      """, sandbox.id, limit, read: Webhook.init(row:))
  }

  /// How many are pending; counted once, kept by hand from then on.
  var pendingCount: Int {
    get throws {
      if let known = sandbox.pendingWebhooks { return known }
      let count =
        try sandbox.database.first(
          "SELECT count(*) FROM webhooks INDEXED BY webhooks_pending WHERE sandbox = ? AND state = 'pending'",
          sandbox.id
        ) { $0.int(0) } ?? 0
      sandbox.pendingWebhooks = count
      return count
    }
  }

  var oldestPending: Webhook? {
    get throws {
      try sandbox.database.first(
        """
        SELECT ordinal, provider, kind, url, subject, detail, created_at, state, reason, next_at, ready_at,
          tries, fields, body FROM webhooks INDEXED BY webhooks_pending
        WHERE sandbox = ? AND state = 'pending' ORDER BY ordinal LIMIT 1
        """, sandbox.id, read: Webhook.init(row:))
    }
  }

  func insert(_ webhook: Webhook) throws {
    sandbox.pendingWebhooks = try pendingCount + 1
    try sandbox.database.run(
      """
      INSERT INTO webhooks (sandbox, ordinal, provider, kind, url, subject, detail, created_at, state, next_at,
        ready_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, webhook.ordinal, webhook.draft.provider, webhook.draft.kind, webhook.draft.url,
      webhook.draft.subject, webhook.draft.detail, webhook.createdAt.milliseconds, webhook.state.rawValue,
      webhook.nextAt?.milliseconds, webhook.readyAt?.milliseconds)
  }

  /// Deletes one that is pending.
  func delete(_ webhook: Webhook) throws {
    sandbox.pendingWebhooks = try pendingCount - 1
    try sandbox.database.run(
      "DELETE FROM webhooks WHERE sandbox = ? AND ordinal = ?", sandbox.id, webhook.ordinal)
  }

  /// Writes what changes in the life of a webhook.
  func update(_ webhook: Webhook) throws {
    try sandbox.database.run(
      """
      UPDATE webhooks SET state = ?, reason = ?, next_at = ?, ready_at = ?, tries = ?
      WHERE sandbox = ? AND ordinal = ?
      """,
      webhook.state.rawValue, webhook.reason, webhook.nextAt?.milliseconds, webhook.readyAt?.milliseconds,
      webhook.tries, sandbox.id, webhook.ordinal)
  }

  func insert(_ attempt: WebhookAttempt, of ordinal: Int) throws {
    try sandbox.database.run(
      """
      INSERT INTO webhook_attempts (sandbox, webhook, number, at, status, error, answer)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, ordinal, attempt.number, attempt.at.milliseconds, attempt.result.status,
      attempt.result.error, attempt.result.body)
  }
}

extension Webhook {
  /// Reads a row whose columns stand in the order of the table, without the sandbox.
  fileprivate init(row: Row) {
    guard let state = State(rawValue: row.text(7)) else {
      preconditionFailure("the database holds no such state of a webhook: \(row.text(7))")
    }
    self.init(
      ordinal: row.int(0),
      draft: WebhookDraft(
        provider: row.text(1), url: row.text(3), kind: row.text(2), subject: row.int(4), detail: row.text(5)),
      createdAt: Timestamp(milliseconds: row.int64(6)), state: state, reason: row.optionalText(8),
      nextAt: row.optionalInt64(9).map(Timestamp.init(milliseconds:)),
      readyAt: row.optionalInt64(10).map(Timestamp.init(milliseconds:)), tries: row.int(11),
      request: row.optionalText(12).map { WebhookRequest(column: $0, body: row.blob(13)) })
  }
}
