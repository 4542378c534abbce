import Domain
import JSON
import ProviderKit

// The events of Notify. Source: contract 12.3.

/// What is told of a message or of a subscription, as its webhook keeps it: nothing is left to be found out.
struct NotifyEvent {
  /// `transactional.message.delivered`
  let kind: String
  /// When it is told.
  let time: Timestamp
  /// The payload.
  let payload: [UInt8]

  /// Writes the webhook down, to be sent at its time.
  func tell(of ordinal: Int, to url: String, in sandbox: Sandbox) throws {
    let detail = JSONWriter.object {
      $0.member("at", time.milliseconds)
      $0.member("payload", encoded: payload)
    }
    let draft = WebhookDraft(
      provider: PreludeProvider.name, url: url, kind: kind, subject: ordinal,
      detail: String(decoding: detail, as: UTF8.self))
    try sandbox.webhooks.enqueue(draft, dueAt: time)
  }
}

/// Tells now that a message of Notify has arrived that its sender was to hear of as lost.
func tellReleasedNotification(_ message: Message, in sandbox: Sandbox) throws {
  guard let ordinal = ordinal(of: message.reference, .message, in: sandbox) else { return }
  for webhook in try sandbox.webhooks.planned(about: ordinal, by: PreludeProvider.name) {
    guard let delivered = try NotifyEvent(webhook).instead(at: sandbox.clock.now) else { continue }
    try sandbox.webhooks.cancel(webhook)
    try delivered.tell(of: ordinal, to: webhook.draft.url, in: sandbox)
  }
}

extension NotifyEvent {
  /// Reads what a webhook keeps.
  init(_ webhook: Webhook) throws {
    let detail = try Fields(Array(webhook.draft.detail.utf8))
    kind = webhook.draft.kind
    time = try detail.timestamp("at")
    payload = try detail.json("payload").encoded()
  }

  /// The delivery that came in place of a failure; nil where this tells of none.
  fileprivate func instead(at time: Timestamp) throws -> NotifyEvent? {
    guard NotifyEvents.losses.contains(kind), case .object(let facts) = try JSON(parsing: payload)
    else {
      return nil
    }
    let kept = facts.filter { !NotifyEvents.failureNames.contains($0.name) }.map { fact in
      fact.name == "created_at" ? .init(name: fact.name, value: .string(time.iso8601Milliseconds)) : fact
    }
    return NotifyEvent(
      kind: NotifyEvents.prefix + "delivered", time: time, payload: JSON.object(kept).encoded())
  }
}
