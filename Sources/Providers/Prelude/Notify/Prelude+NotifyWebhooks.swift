import Domain
import JSON

/// The events of Notify. Source: contract 12.3.
extension Prelude {
  /// What is told of a message, as its webhook keeps it: all is known when the carrier takes the message.
  struct Chapter {
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
        provider: name, url: url, kind: kind, subject: ordinal,
        detail: String(decoding: detail, as: UTF8.self))
      try sandbox.webhooks.enqueue(draft, dueAt: time)
    }
  }

  /// The bytes of such a webhook; nil for one of another product.
  static func renderNotification(_ webhook: Webhook, in sandbox: Sandbox) throws -> [UInt8]? {
    guard webhook.draft.kind.hasPrefix(OutgoingStory.prefix) else { return nil }
    let detail = try Fields(Array(webhook.draft.detail.utf8))
    let payload = try detail.json("payload").encoded()
    return envelope(webhook, at: Timestamp(milliseconds: Int64(try detail.int("at"))), payload, in: sandbox)
  }
}
