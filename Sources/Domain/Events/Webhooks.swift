package import Basics
import Database

/// The webhooks of a sandbox.
///
/// Nothing here sends. An attempt that is due is *ready*; the sender takes it and records the result.
package struct Webhooks {
  /// The most pending webhooks of a sandbox; then the oldest are dropped.
  package static let limit = 10_000

  let sandbox: Sandbox

  /// Enqueues a webhook for a time; nil: now.
  ///
  /// It is sent after the tick's commit, so a request that fails sends nothing.
  @discardableResult
  package func enqueue(_ draft: WebhookDraft, dueAt: Timestamp? = nil) throws -> Webhook {
    let now = sandbox.clock.now
    try makeRoom(at: now)
    let due = max(dueAt ?? now, now)
    let webhook = Webhook(
      ordinal: sandbox.nextOrdinal(), draft: draft, createdAt: now, state: .pending, nextAt: due,
      readyAt: due <= now ? now : nil, tries: 0, trace: sandbox.trace)
    try insert(webhook)
    guard webhook.readyAt != nil else {
      try sandbox.agenda.schedule(.sendWebhook, on: webhook.ordinal, at: due)
      return webhook
    }
    sandbox.derived.unrenderedWebhooks = sandbox.derived.unrenderedWebhooks.map { $0 + 1 }
    sandbox.derived.mayHaveReadyWebhooks = true
    return webhook
  }

  /// Makes a scheduled attempt ready, unless a replay has replaced it.
  func ready(_ item: Agenda.Item) throws {
    guard var webhook = try find(item.subject), webhook.nextAt == item.dueAt else { return }
    webhook.readyAt = webhook.readyAt ?? item.dueAt
    try update(webhook)
    sandbox.derived.unrenderedWebhooks = nil
    sandbox.derived.mayHaveReadyWebhooks = true
  }

  /// Sends a webhook again now, in any state; its schedule does not change.
  package func replay(_ webhook: Webhook) throws -> Webhook {
    var webhook = webhook
    guard webhook.readyAt == nil else { return webhook }
    webhook.readyAt = sandbox.clock.now
    try update(webhook)
    sandbox.derived.unrenderedWebhooks = nil
    sandbox.derived.mayHaveReadyWebhooks = true
    return webhook
  }

  /// True if an attempt is due or in progress.
  package var isReady: Bool { get throws { try !ready(limit: 1).isEmpty } }

  /// The webhooks with an attempt that is due or in progress: of each destination in the order in which they
  /// came due.
  package func ready(limit: Int) throws -> [Webhook] {
    guard sandbox.derived.mayHaveReadyWebhooks else { return [] }
    let found = try select(ready: limit)
    if found.isEmpty { sandbox.derived.mayHaveReadyWebhooks = false }
    return found
  }

  /// The first ready webhook of each destination, in the order in which they came due.
  package var nextReady: [Webhook] {
    get throws {
      guard sandbox.derived.mayHaveReadyWebhooks else { return [] }
      let found = try selectNextReady()
      if found.isEmpty { sandbox.derived.mayHaveReadyWebhooks = false }
      return found
    }
  }

  package var mayBeUnrendered: Bool { sandbox.derived.unrenderedWebhooks != 0 }

  /// Makes the requests of the webhooks with an attempt that is due, in the order in which they came due.
  /// Called at the end of every request and of every item of due work, so that a webhook shows the state of
  /// its event, even if it then waits.
  package func render() throws {
    let made = sandbox.derived.unrenderedWebhooks
    guard made != 0 else { return }
    sandbox.derived.unrenderedWebhooks = 0
    guard let render = sandbox.shared.connections.renderWebhook else { return }
    let late = sandbox.database.late(Webhook.self).filter { $0.readyAt != nil && $0.request == nil }
    for webhook in try late.count == made ? late : selectUnrendered() { try render(webhook, sandbox) }
  }

  /// Saves the request; all attempts send the same bytes.
  package func keep(_ request: WebhookRequest, of webhook: Webhook) throws {
    let isChanged = sandbox.database.changeLate(Webhook.self, where: { $0.ordinal == webhook.ordinal }) {
      $0.request = request
    }
    guard !isChanged else { return }
    try sandbox.database.run(
      "UPDATE webhooks SET fields = ?, body = ? WHERE sandbox = ? AND ordinal = ?",
      request.column, request.body, sandbox.id, webhook.ordinal)
  }

  /// Cancels a scheduled webhook that has had no attempt.
  package func cancel(_ webhook: Webhook) throws {
    guard let planned = try find(webhook.ordinal), planned.isPlanned else { return }
    try delete(planned)
  }

  /// Ends a webhook without a request.
  package func fail(_ webhook: Webhook, because why: String) throws {
    guard let current = try find(webhook.ordinal) else { return }
    try end(current, as: .failed, why: why, at: sandbox.clock.now)
  }

  /// Records the result of an attempt, and schedules the next one.
  package func record(
    _ result: WebhookAttempt.Result, of ordinal: Int, at time: Timestamp, retries: RetrySchedule
  ) throws {
    guard var webhook = try find(ordinal) else { return }
    let attempts = try attempts(of: ordinal)
    let attempt = WebhookAttempt(number: (attempts.last?.number ?? 0) + 1, at: time, result: result)
    try insert(attempt, of: ordinal)
    let isOfSchedule = webhook.nextAt.map { $0 <= time } ?? false
    webhook.readyAt = nil
    try releaseReordered(after: webhook, at: time)
    if retries.isAcknowledged(by: result) {
      try end(webhook, as: .delivered, why: nil, at: time, result.answer)
      if !attempts.contains(where: { retries.isAcknowledged(by: $0.result) }) { try repeatDuplicate(webhook) }
      return
    }
    if case .refused(let why) = result { return try end(webhook, as: .refused, why: why, at: time) }
    let reason = result.status.map { "the receiver answered \($0)" } ?? result.error ?? "no answer"
    guard retries.isRetried(result) || retries.pauses.isEmpty else {
      return try end(webhook, as: .failed, why: reason, at: time, result.answer)
    }
    if isOfSchedule {
      webhook.tries += 1
      let first = attempts.first?.at ?? time
      webhook.nextAt = retries.next(after: webhook.tries, at: time, first: first)
      guard let next = webhook.nextAt else {
        let why =
          webhook.tries == 1 ? reason : "not acknowledged in \(webhook.tries) attempts; the last: \(reason)"
        return try end(webhook, as: .failed, why: why, at: time, result.answer)
      }
      if next <= sandbox.clock.now {
        webhook.readyAt = next
      } else {
        try sandbox.agenda.schedule(.sendWebhook, on: ordinal, at: next)
      }
    }
    try update(webhook)
    try log(.webhookUnanswered, webhook, at: time)
  }

  func end(
    _ webhook: Webhook, as state: Webhook.State, why: String?, at time: Timestamp,
    _ answer: WebhookAnswer? = nil
  ) throws {
    var webhook = webhook
    webhook.readyAt = nil
    webhook.nextAt = nil
    // A failed replay does not change a webhook that was delivered.
    if webhook.state != .delivered {
      if webhook.state == .pending { sandbox.derived.pendingWebhooks = try pendingCount - 1 }
      webhook.state = state
      webhook.why = why
    }
    try update(webhook)
    try log(Event.Kind(ending: state), webhook, at: time)
    try sandbox.report(.webhookEnded(webhook, answer), to: webhook.draft.provider)
  }

  /// Drops the oldest pending webhook if there are too many.
  private func makeRoom(at now: Timestamp) throws {
    guard try pendingCount >= Self.limit, let oldest = try oldestPending else { return }
    let why = "dropped: \(Self.limit) newer webhooks are pending"
    try end(oldest, as: .dropped, why: why, at: now)
  }

  func log(_ kind: Event.Kind, _ webhook: Webhook, at time: Timestamp) throws {
    try sandbox.events.append(
      kind, provider: webhook.draft.provider, subject: webhook.ordinal, destination: webhook.shownURL,
      at: time)
  }
}
