import ProviderKit

/// The callbacks of a message: one for each status. The carrier has decided all of them at the submission.
/// Source: contract 14.3.
enum StatusCallback {
  /// The kind of the webhooks.
  static let kind = "message.status"

  static func enqueue(for message: StoredMessage, _ carried: Message, in sandbox: Sandbox) throws {
    guard let url = message.statusCallback else { return }
    for change in carried.statusChanges {
      try enqueue(
        change.status, of: message, to: url, at: carried.submittedAt + change.after, in: sandbox)
    }
  }

  /// Cancels the callbacks that are still to come, and sends this status now.
  static func replacePlanned(
    of message: StoredMessage, with status: MessageStatus.Name, in sandbox: Sandbox
  ) throws {
    guard let url = message.statusCallback else { return }
    for webhook in try sandbox.webhooks.planned(about: message.ordinal, by: TwilioProvider.name) {
      try sandbox.webhooks.cancel(webhook)
    }
    try enqueue(MessageStatus(status), of: message, to: url, at: sandbox.clock.now, in: sandbox)
  }

  /// The carrier has delivered a message that it had held.
  static func reportDelivery(of carried: Message, in sandbox: Sandbox) throws {
    guard let message = try StoredMessage.table.find(carried.reference, in: sandbox) else { return }
    try replacePlanned(of: message, with: .delivered, in: sandbox)
  }

  private static func enqueue(
    _ status: MessageStatus, of message: StoredMessage, to url: String, at time: Timestamp,
    in sandbox: Sandbox
  ) throws {
    let detail = JSONWriter.object { json in
      json.member("sid", message.sid)
      json.member("status", status.name.rawValue)
      json.member("error", status.failure?.code)
    }
    try sandbox.webhooks.enqueue(
      WebhookDraft(
        provider: TwilioProvider.name, url: url, kind: kind, subject: message.ordinal,
        detail: String(decoding: detail, as: UTF8.self)), dueAt: time)
  }

  /// The receiver of the message; nil if it was deleted.
  static func number(of webhook: Webhook, in sandbox: Sandbox) throws -> String? {
    let sid = try Fields(Array(webhook.draft.detail.utf8)).string("sid")
    return try StoredMessage.table.find(sid, in: sandbox)?.to
  }

  /// Nil if the message was deleted.
  static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? {
    let detail = try Fields(Array(webhook.draft.detail.utf8))
    let (sid, status) = (try detail.string("sid"), try detail.string("status"))
    guard let message = try StoredMessage.table.find(sid, in: sandbox) else { return nil }
    let sender = try message.from ?? sandbox.messages.find(message.carrierOrdinal)?.sender
    var parameters = [
      ("MessageSid", sid), ("SmsSid", sid), ("AccountSid", message.account), ("From", sender ?? ""),
      ("To", message.to), ("MessageStatus", status), ("SmsStatus", status), ("ApiVersion", "2010-04-01"),
    ]
    if let service = message.messagingService { parameters.append(("MessagingServiceSid", service)) }
    if let code = try detail.optionalInt("error") { parameters.append(("ErrorCode", String(code))) }
    return try WebhookSignature.form(parameters, to: webhook.draft.url, of: message.account, in: sandbox)
  }
}
