import ProviderKit

/// An event of a message or a subscription. Its webhook stores the whole payload. Source: contract 12.3.
struct NotifyEvent {
  /// `transactional.message.delivered`
  let kind: String
  let time: Timestamp
  /// The person's.
  let number: String
  let payload: [UInt8]

  /// Enqueues the webhook, due at `time`.
  func enqueue(about ordinal: Int, to url: String, in sandbox: Sandbox) throws {
    let detail = JSONWriter.object {
      $0.member("at", time.milliseconds)
      $0.member("number", number)
      $0.member("payload", encoded: payload)
    }
    let draft = WebhookDraft(
      provider: PreludeProvider.name, url: url, kind: kind, subject: ordinal,
      detail: String(decoding: detail, as: UTF8.self))
    try sandbox.webhooks.enqueue(draft, dueAt: time)
  }
}

extension NotifyEvent {
  init(_ webhook: Webhook) throws {
    let detail = try Fields(Array(webhook.draft.detail.utf8))
    kind = webhook.draft.kind
    time = try detail.timestamp("at")
    number = try detail.string("number")
    payload = try detail.json("payload").encoded()
  }

  /// The event of the delivery at `time`, if this event says that the message was lost; nil for other events.
  private func replacedByDelivery(at time: Timestamp) throws -> NotifyEvent? {
    guard [MessageState.failed, .unknown].contains(where: { $0.eventKind == kind }),
      case .object(let members) = try JSON(parsing: payload)
    else { return nil }
    let kept = members.filter { !["status", "reason"].contains($0.name) }.map { member in
      member.name == "created_at"
        ? .init(name: member.name, value: .string(time.iso8601Nanoseconds)) : member
    }
    return NotifyEvent(
      kind: MessageState.delivered.eventKind, time: time, number: number,
      payload: JSON.object(kept).encoded())
  }

  static var kinds: [String] {
    MessageState.allCases.map(\.eventKind) + [InboundMessage.eventKind] + SubscriptionConfig.eventKinds
  }

  /// The events of a message in order. The carrier's receipts for `message` are known in advance.
  static func all(
    of outgoing: OutgoingMessage, sentAs message: Message, in sandbox: Sandbox
  ) -> [NotifyEvent] {
    let payloads = MessagePayloads(of: outgoing, in: sandbox)
    var events = [
      NotifyEvent(
        kind: MessageState.created.eventKind, time: outgoing.createdAt, number: outgoing.to.description,
        payload: payloads.created)
    ]
    func add(_ state: MessageState, at time: Timestamp, _ failure: MessageFailure? = nil) {
      events.append(
        NotifyEvent(
          kind: state.eventKind, time: time, number: outgoing.to.description,
          payload: payloads.later(at: time, failure)))
    }
    for (delivery, time) in message.deliveries(until: outgoing.expiresAt) {
      if let state = MessageState(delivery.state) { add(state, at: time, MessageFailure(delivery)) }
    }
    return events
  }

  /// Replaces the scheduled event of a loss when the message was delivered after all.
  static func reportLate(_ message: Message, in sandbox: Sandbox) throws {
    guard let ordinal = Identifier.ordinal(of: message.reference, .message, in: sandbox) else { return }
    for webhook in try sandbox.webhooks.planned(about: ordinal, by: PreludeProvider.name) {
      guard let delivered = try NotifyEvent(webhook).replacedByDelivery(at: sandbox.clock.now) else {
        continue
      }
      try sandbox.webhooks.cancel(webhook)
      try delivered.enqueue(about: ordinal, to: webhook.draft.url, in: sandbox)
    }
  }

  /// The account's UUID in events. Source: contract 12.3.
  static func customerUUID(in sandbox: Sandbox) -> String {
    UUIDText.version4(sandbox.entropy.secret("customer of \(sandbox.name)", length: 32, of: .hex))
  }
}

/// The state of a message in the kinds of its events.
private enum MessageState: String, CaseIterable {
  case created
  case submitted
  case pendingDelivery = "pending_delivery"
  case delivered
  case failed
  case unknown

  /// Nil for a state without an event.
  init?(_ state: DeliveryState) {
    switch state {
    case .submitted: self = .submitted
    case .inTransit: self = .pendingDelivery
    case .delivered: self = .delivered
    case .undeliverable, .expired: self = .failed
    case .unknown: self = .unknown
    case .read, .silentStarted, .silentVerified, .silentMismatch: return nil
    }
  }

  var eventKind: String { "transactional.message.\(rawValue)" }
}

/// Why a message failed. Source: contract 12.3.
private struct MessageFailure {
  /// `failed` or `expired`.
  let status: String
  let reason: LossReason

  /// Nil for a message that is not lost.
  init?(_ delivery: Delivery) {
    guard delivery.state.isLoss else { return nil }
    status = delivery.state == .expired ? "expired" : "failed"
    reason = delivery.reason ?? .generic
  }
}

/// The payloads of a message's events. Source: contract 12.3.
private struct MessagePayloads {
  private let outgoing: OutgoingMessage
  private let id: String
  private let attemptID: String
  private let customer: String

  init(of outgoing: OutgoingMessage, in sandbox: Sandbox) {
    self.outgoing = outgoing
    id = Identifier.text(.message, outgoing.ordinal, at: outgoing.createdAt, in: sandbox)
    attemptID = Identifier.text(.attempt, outgoing.ordinal, part: 1, in: sandbox)
    customer = NotifyEvent.customerUUID(in: sandbox)
  }

  /// The amount is a string here.
  var created: [UInt8] {
    JSONWriter.object { json in
      json.member("id", id)
      json.member("to", outgoing.to.description)
      if let template = outgoing.templateID { json.member("template_id", template) }
      json.object("variables") { outgoing.variables.write(to: &$0) }
      json.member("created_at", outgoing.createdAt.iso8601Nanoseconds)
      json.member("expires_at", outgoing.expiresAt.iso8601Nanoseconds)
      json.member("customer_uuid", customer)
      if let correlationID = outgoing.correlationID { json.member("correlation_id", correlationID) }
      json.object("fee") {
        $0.member("amount", "0.009")
        $0.member("currency", "EUR")
      }
    }
  }

  func later(at time: Timestamp, _ failure: MessageFailure?) -> [UInt8] {
    JSONWriter.object { json in
      json.member("message_id", id)
      json.member("attempt_id", attemptID)
      json.member("customer_uuid", customer)
      json.member("created_at", time.iso8601Nanoseconds)
      if let correlationID = outgoing.correlationID { json.member("correlation_id", correlationID) }
      json.member("type", outgoing.category.rawValue)
      json.member("channel", outgoing.channel.rawValue)
      if let template = outgoing.templateID { json.member("template_id", template) }
      if let failure {
        json.member("status", failure.status)
        json.member("reason", failure.reason.rawValue)
      }
    }
  }
}
