import Basics
package import Database

extension Webhooks {
  /// Selects webhooks; nil matches all.
  package struct Filter: Sendable {
    package var provider: String?
    package var kind: String?
    package var state: Webhook.State?
    /// Only webhooks between these ordinals.
    package var after = 0
    package var before = Int.max

    package init() {}
  }

  /// The oldest webhooks up to `limit`, oldest first.
  package func all(_ filter: Filter, limit: Int = 1000) throws -> [Webhook] {
    try sandbox.database.all(
      Webhook.self,
      """
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR provider = ?3) AND (?4 IS NULL OR kind = ?4)
        AND (?5 IS NULL OR state = ?5) AND ordinal < ?6
      ORDER BY ordinal LIMIT ?7
      """, sandbox.id, filter.after, filter.provider, filter.kind, filter.state?.rawValue, filter.before,
      limit)
  }

  /// The ids of a provider's webhooks about one subject, oldest first.
  package func ids(about subject: Int, by provider: String) throws -> [String] {
    try ordinals(about: subject, by: provider).map(Webhook.id)
  }

  package func ordinals(about subject: Int, by provider: String) throws -> [Int] {
    try sandbox.database.all(
      """
      SELECT ordinal FROM webhooks INDEXED BY webhooks_by_subject
      WHERE sandbox = ? AND subject = ? AND provider = ? ORDER BY ordinal
      """, sandbox.id, subject, provider
    ) { $0.int(0) }
  }

  package func find(_ ordinal: Int) throws -> Webhook? {
    try sandbox.database.first(Webhook.self, "WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal)
  }

  /// The scheduled webhooks of a provider about one subject, oldest first.
  package func planned(about subject: Int, by provider: String) throws -> [Webhook] {
    try sandbox.database.all(
      Webhook.self,
      """
      INDEXED BY webhooks_pending
      WHERE sandbox = ? AND state = 'pending' AND provider = ? AND subject = ? ORDER BY ordinal
      """, sandbox.id, provider, subject
    ).filter(\.isPlanned)
  }

  package var latest: Webhook? {
    get throws {
      try sandbox.database.first(Webhook.self, "WHERE sandbox = ? ORDER BY ordinal DESC LIMIT 1", sandbox.id)
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
          .unanswered(why: row.optionalText(3) ?? "")
        }
      return WebhookAttempt(number: row.int(0), at: Timestamp(milliseconds: row.int64(1)), result: result)
    }
  }

  func select(ready limit: Int) throws -> [Webhook] {
    try sandbox.database.all(
      Webhook.self,
      """
      INDEXED BY webhooks_by_destination
      WHERE sandbox = ? AND ready_at IS NOT NULL ORDER BY destination, ready_at, ordinal LIMIT ?
      """, sandbox.id, limit)
  }

  func selectUnrendered() throws -> [Webhook] {
    try sandbox.database.all(
      Webhook.self,
      """
      INDEXED BY webhooks_unrendered
      WHERE sandbox = ? AND ready_at IS NOT NULL AND fields IS NULL ORDER BY ready_at, ordinal
      """, sandbox.id)
  }

  /// The first ready webhook of each destination: one step in the index from each to the next, so that a long
  /// queue of one destination costs nothing.
  func selectNextReady() throws -> [Webhook] {
    var found: [Webhook] = []
    while found.count < Self.destinationLimit,
      let next = try sandbox.database.first(
        Webhook.self,
        """
        INDEXED BY webhooks_by_destination
        WHERE sandbox = ? AND destination > ? AND ready_at IS NOT NULL
        ORDER BY destination, ready_at, ordinal LIMIT 1
        """, sandbox.id, found.last?.draft.destination ?? "")
    {
      found.append(next)
    }
    return found.sorted { ($0.readyAt ?? .latest, $0.ordinal) < ($1.readyAt ?? .latest, $1.ordinal) }
  }

  /// The most destinations that are considered at once. Others follow when these have no more ready webhooks.
  private static let destinationLimit = 1000

  /// Counted once, then kept up to date by hand.
  var pendingCount: Int {
    get throws {
      if let known = sandbox.derived.pendingWebhooks { return known }
      let count =
        try sandbox.database.first(
          "SELECT count(*) FROM webhooks INDEXED BY webhooks_pending WHERE sandbox = ? AND state = 'pending'",
          sandbox.id
        ) { $0.int(0) } ?? 0
      sandbox.derived.pendingWebhooks = count
      return count
    }
  }

  var oldestPending: Webhook? {
    get throws {
      try sandbox.database.first(
        Webhook.self,
        """
        INDEXED BY webhooks_pending
        WHERE sandbox = ? AND state = 'pending' ORDER BY ordinal LIMIT 1
        """, sandbox.id)
    }
  }

  func insert(_ webhook: Webhook) throws {
    sandbox.derived.pendingWebhooks = try pendingCount + 1
    sandbox.countEvent()
    try sandbox.database.insertLate(webhook, of: sandbox.id)
  }

  /// Deletes a pending webhook.
  func delete(_ webhook: Webhook) throws {
    sandbox.derived.pendingWebhooks = try pendingCount - 1
    try sandbox.database.run(
      "DELETE FROM webhooks WHERE sandbox = ? AND ordinal = ?", sandbox.id, webhook.ordinal)
  }

  /// Saves the changeable part of a webhook.
  func update(_ webhook: Webhook) throws {
    try sandbox.database.run(
      """
      UPDATE webhooks SET state = ?, why = ?, next_at = ?, ready_at = ?, tries = ?
      WHERE sandbox = ? AND ordinal = ?
      """,
      webhook.state.rawValue, webhook.why, webhook.nextAt?.milliseconds, webhook.readyAt?.milliseconds,
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

extension Webhook: TableRow {
  package static let table: StaticString = "webhooks"
  package static let columns: StaticString = """
    ordinal, provider, kind, url, destination, subject, detail, created_at, state, why, next_at, ready_at,
    tries, fields, body, fault, trace
    """

  package init(from row: inout ColumnReader) throws(DatabaseError) {
    let (ordinal, provider, kind, url) = (row.int(), row.text(), row.text(), row.text())
    // The destination follows from the URL.
    row.skip()
    self.init(
      ordinal: ordinal,
      draft: WebhookDraft(
        provider: provider, url: url, kind: kind, subject: row.int(), detail: row.text()),
      createdAt: row.time(), state: try State(column: row.text(), "the state of a webhook"),
      why: row.optionalText(), nextAt: row.optionalTime(), readyAt: row.optionalTime(), tries: row.int(),
      request: WebhookRequest(from: &row), fault: try InjectedWebhookFault(from: &row),
      trace: try TraceContext(optionalColumn: row.optionalText()))
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(draft.provider)
    row.write(draft.kind)
    row.write(draft.url)
    row.write(draft.destination)
    row.write(draft.subject)
    row.write(draft.detail)
    row.write(createdAt.milliseconds)
    row.write(state.rawValue)
    row.write(why)
    row.write(nextAt?.milliseconds)
    row.write(readyAt?.milliseconds)
    row.write(tries)
    row.write(request?.column)
    row.write(request?.body)
    row.write(fault?.column)
    row.write(trace?.column)
  }
}

extension TraceContext {
  /// Nil for NULL.
  init?(optionalColumn column: String?) throws(DatabaseError) {
    guard let column else { return nil }
    guard let trace = TraceContext(column: column) else {
      throw .damagedValue(column, expected: "a trace")
    }
    self = trace
  }
}

extension InjectedWebhookFault {
  /// Nil for a webhook with nothing wrong.
  fileprivate init?(from row: inout ColumnReader) throws(DatabaseError) {
    guard let column = row.optionalText() else { return nil }
    guard let fault = InjectedWebhookFault(column: column) else {
      throw .damagedValue(column, expected: "the fault of a webhook")
    }
    self = fault
  }
}

extension WebhookRequest {
  /// Nil for a webhook that was not rendered yet.
  fileprivate init?(from row: inout ColumnReader) {
    let (fields, body) = (row.optionalText(), row.blob())
    guard let fields else { return nil }
    self.init(column: fields, body: body)
  }
}
