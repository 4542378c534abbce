import Domain
import JSON
import ProviderKit

/// What the sender of a message is told of it, and when. Source: contract 12.3.
struct NotifyEvents {
  /// All events, in order.
  let events: [NotifyEvent]

  /// The events of a message that the carrier has taken, whose future is settled.
  init(of outgoing: Outgoing, carried message: Message, in sandbox: Sandbox) {
    let facts = OutgoingFacts(of: outgoing, in: sandbox)
    var events = [
      NotifyEvent(kind: Self.prefix + "created", time: outgoing.createdAt, payload: facts.created)
    ]
    func tell(_ word: String, _ time: Timestamp, _ failure: Failure? = nil) {
      events.append(
        NotifyEvent(kind: Self.prefix + word, time: time, payload: facts.later(at: time, failure)))
    }
    tell("submitted", message.submittedAt)
    var isOver = false
    for receipt in message.receipts.all where !isOver {
      let time = message.submittedAt + receipt.after
      switch receipt.state {
      case .accepted, .read: break
      case .enroute: tell("pending_delivery", time)
      case .delivered:
        tell("delivered", time)
        isOver = true
      case .expired, .undeliverable, .rejected, .refused:
        tell("failed", time, Failure(receipt))
        isOver = true
      }
    }
    if !isOver { tell("unknown", outgoing.expiresAt) }
    self.events = events
  }

  /// Why a message failed, in the vendor's words.
  struct Failure {
    /// `failed` or `expired`.
    let status: String
    /// One of the vendor's reasons.
    let reason: String

    /// What a carrier's receipt says. Source: `carrier.md` 1.1 for its numbers.
    fileprivate init(_ receipt: DeliveryReceipt) {
      status = receipt.state == .expired ? "expired" : "failed"
      reason =
        switch (receipt.state, receipt.error) {
        case (.expired, _), (_, 27), (_, 60), (_, 61): "unavailable"
        case (.rejected, _), (.refused, _), (_, 11), (_, 13): "carrier_rejected"
        case (_, 1), (_, 2), (_, 5): "unknown_recipient"
        case (_, 34): "network"
        default: "generic"
        }
    }
  }

  /// What the names of all events begin with.
  static let prefix = "transactional.message."
  /// The events that say that a message never came.
  static let losses = [prefix + "failed", prefix + "unknown"]
  /// The members in which a failure says why.
  static let failureNames = ["status", "reason"]
}

/// What the events of one message say in common. Source: contract 12.3.
private struct OutgoingFacts {
  private let outgoing: Outgoing
  private let id: String
  private let attempt: String
  private let customer: String

  init(of outgoing: Outgoing, in sandbox: Sandbox) {
    self.outgoing = outgoing
    id = identifier(.message, outgoing.ordinal, at: outgoing.createdAt, in: sandbox)
    attempt = identifier(.attempt, outgoing.ordinal, part: 1, in: sandbox)
    customer = customerUUID(in: sandbox)
  }

  /// The payload of the first event; of its price the amount is a text.
  var created: [UInt8] {
    JSONWriter.object { json in
      json.member("id", id)
      json.member("to", outgoing.to.description)
      if let template = outgoing.templateID { json.member("template_id", template) }
      json.object("variables") { outgoing.variables.write(to: &$0) }
      json.member("created_at", outgoing.createdAt.iso8601Milliseconds)
      json.member("expires_at", outgoing.expiresAt.iso8601Milliseconds)
      json.member("customer_uuid", customer)
      if let correlation = outgoing.correlationID { json.member("correlation_id", correlation) }
      json.object("fee") {
        $0.member("amount", "0.009")
        $0.member("currency", "EUR")
      }
    }
  }

  /// The payload of a later event.
  func later(at time: Timestamp, _ failure: NotifyEvents.Failure?) -> [UInt8] {
    JSONWriter.object { json in
      json.member("message_id", id)
      json.member("attempt_id", attempt)
      json.member("customer_uuid", customer)
      json.member("created_at", time.iso8601Milliseconds)
      if let correlation = outgoing.correlationID { json.member("correlation_id", correlation) }
      json.member("type", outgoing.category.rawValue)
      json.member("channel", outgoing.channel.rawValue)
      if let template = outgoing.templateID { json.member("template_id", template) }
      if let failure {
        json.member("status", failure.status)
        json.member("reason", failure.reason)
      }
    }
  }
}

/// The account as events name it: a UUID of version 4. Source: contract 12.3.
func customerUUID(in sandbox: Sandbox) -> String {
  let digits = Array(sandbox.entropy.secret("customer of \(sandbox.name)", length: 32, of: .hex))
  let parts = [
    digits[0..<8], digits[8..<12], ["4"] + digits[13..<16], ["8"] + digits[17..<20], digits[20..<32],
  ]
  return parts.map { String($0) }.joined(separator: "-")
}
