import Basics
import Database

// Webhooks that go wrong on purpose.
extension Webhooks {
  /// Notes what is wrong with a webhook whose request was kept, and delays or loses it. `url`: where it goes,
  /// which a wrong signature changes.
  package func inject(_ injected: InjectedWebhookFault, into webhook: Webhook, at url: String) throws {
    guard var current = try find(webhook.ordinal) else { return }
    try sandbox.database.run(
      "UPDATE webhooks SET fault = ?, url = ? WHERE sandbox = ? AND ordinal = ?", injected.column, url,
      sandbox.id, webhook.ordinal)
    current.fault = injected
    let dueAt = current.readyAt ?? sandbox.clock.now
    try log(injected.isForged ? .webhookForged : .webhookFaultInjected, current, at: dueAt)
    let fault = injected.fault
    switch fault.delivery {
    case .lost: try end(current, as: .lost, why: injected.text, at: dueAt)
    case .reorder:
      try postpone(current, until: dueAt + (fault.delay ?? Self.longestReordering))
      sandbox.derived.mayHaveReorderedWebhooks = true
    case .duplicate, nil: if let delay = fault.delay { try postpone(current, until: dueAt + delay) }
    }
  }

  private static let longestReordering = Duration.seconds(60)

  private func postpone(_ webhook: Webhook, until time: Timestamp) throws {
    var webhook = webhook
    (webhook.readyAt, webhook.nextAt) = (nil, time)
    try update(webhook)
    try sandbox.agenda.schedule(.sendWebhook, on: webhook.ordinal, at: time)
  }

  /// True if a webhook to this destination waits for the next one.
  func isReordered(to destination: String) throws -> Bool {
    try reordered.contains { $0.draft.destination == destination }
  }

  /// Makes webhooks ready that wait for one to the same destination, which was sent at `time`.
  func releaseReordered(after sent: Webhook, at time: Timestamp) throws {
    for var webhook in try reordered
    where webhook.draft.destination == sent.draft.destination && webhook.ordinal != sent.ordinal {
      (webhook.readyAt, webhook.nextAt) = (time, time)
      try update(webhook)
      sandbox.derived.mayHaveReadyWebhooks = true
    }
  }

  /// The webhooks that wait for the next one to the same destination.
  private var reordered: [Webhook] {
    get throws {
      guard sandbox.derived.mayHaveReorderedWebhooks else { return [] }
      let found = try sandbox.database.all(
        Webhook.self,
        """
        INDEXED BY webhooks_pending
        WHERE sandbox = ? AND state = 'pending' AND fault IS NOT NULL AND ready_at IS NULL AND tries = 0
        ORDER BY ordinal
        """, sandbox.id
      ).filter { $0.fault?.fault.delivery == .reorder }
      sandbox.derived.mayHaveReorderedWebhooks = !found.isEmpty
      return found
    }
  }

  /// Sends a duplicate once, after the first attempt that was acknowledged.
  func repeatDuplicate(_ webhook: Webhook) throws {
    guard webhook.fault?.fault.delivery == .duplicate, let ended = try find(webhook.ordinal) else { return }
    _ = try replay(ended)
  }
}
