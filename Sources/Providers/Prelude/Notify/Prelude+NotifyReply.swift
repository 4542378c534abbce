import Domain
import HTTP
import JSON

/// The resource `/v2/notify/reply`. Source: contract 10.
extension Prelude {
  static func replyToMessage(_ call: Call) throws -> Response {
    let form = try ReplyForm(call.request.json)
    let receiver = try call.number(form.to, of: "to")
    try call.refuse(form, to: receiver)
    let ordinal = call.sandbox.nextOrdinal()
    let now = call.sandbox.clock.now
    try form.outgoing(ordinal, to: receiver, at: now).send(in: call.sandbox)
    let id = identifier(.message, ordinal, at: now, in: call.sandbox)
    return call.bareAnswer { ReplyBody(id: id, form: form, createdAt: now).write(to: &$0) }
  }

  /// A reply as it is asked for.
  struct ReplyForm {
    let replyTo: String
    let text: String
    let to: String
    let callbackURL: String?
    let correlationID: String?

    /// Reads the body.
    init(_ fields: Fields) throws {
      replyTo = try fields.string("reply_to")
      text = try fields.string("text")
      to = try fields.string("to")
      callbackURL = try fields.optionalString("callback_url")
      correlationID = try fields.optionalString("correlation_id")
      guard InboundMessage.isWellFormed(replyTo) else {
        throw fields.mismatch("reply_to", expected: "the id of an inbound message, im_ and what follows")
      }
      guard (1...4096).contains(text.count) else {
        throw fields.mismatch("text", expected: "1 to 4096 characters")
      }
      try checkCallback(callbackURL, correlation: correlationID)
    }

    /// The reply to one receiver: WhatsApp, in the app's own words.
    func outgoing(_ ordinal: Int, to receiver: PhoneNumber, at now: Timestamp) -> Outgoing {
      Outgoing(
        ordinal: ordinal, to: receiver, channel: .whatsapp, sender: nil, text: text,
        category: .transactional, templateID: nil, variables: Texts(), callbackURL: callbackURL,
        correlationID: correlationID, createdAt: now, leavesAt: now, expiresAt: now + .seconds(86_400))
    }
  }

  /// A reply as it is answered.
  struct ReplyBody {
    let id: String
    let form: ReplyForm
    let createdAt: Timestamp

    /// The members.
    func write(to json: inout JSONWriter) {
      json.member("id", id)
      json.member("reply_to", form.replyTo)
      json.member("to", form.to)
      json.member("text", form.text)
      json.member("created_at", createdAt.iso8601Milliseconds)
      if let url = form.callbackURL { json.member("callback_url", url) }
      if let correlation = form.correlationID { json.member("correlation_id", correlation) }
    }
  }
}

extension Prelude.Call {
  /// A reply goes to whoever wrote, and within a day. Source: contract 10.
  fileprivate func refuse(_ form: Prelude.ReplyForm, to receiver: PhoneNumber) throws {
    guard let inbound = try Prelude.InboundMessage.find(form.replyTo, in: sandbox) else {
      guard knobs.inboundMessages == "open" else {
        throw Prelude.Problem(.notFound, "there is no inbound message \(form.replyTo)", param: "reply_to")
      }
      return
    }
    guard inbound.from == receiver else {
      throw Prelude.Problem.invalid("to", expected: "the number that wrote \(form.replyTo)")
    }
    guard sandbox.clock.now <= inbound.receivedAt + .seconds(86_400) else {
      throw Prelude.Problem.invalid("reply_to", expected: "a message of the last 24 hours")
    }
  }
}
