import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/notify/reply`. Source: contract 10; the refusals:
// https://docs.prelude.so/notify/v2/api-reference/send-a-reply, read 2026-11-21.

func replyToMessage(_ call: Call) throws -> Response {
  let form = try ReplyForm(call.request.json)
  let receiver = try call.number(form.to, of: "to")
  let inbound = try call.inbound(of: form, from: receiver)
  let (ordinal, now) = (call.sandbox.nextOrdinal(), call.sandbox.clock.now)
  var outgoing = Outgoing(
    ordinal: ordinal, to: receiver, channel: inbound?.app == .rcs ? .rcs : .whatsapp,
    sender: inbound?.to, text: form.text, at: now)
  outgoing.callbackURL = form.callbackURL
  outgoing.correlationID = form.correlationID
  try outgoing.send(in: call.sandbox)
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
    guard !text.isEmpty else { throw Problem(.missingText, param: "text") }
    guard text.count <= 4096 else { throw fields.mismatch("text", expected: "4096 characters at most") }
    try checkCallback(callbackURL, at: "callback_url")
    try checkCorrelation(correlationID, at: "correlation_id")
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

extension Call {
  /// The message that a reply answers: it goes to whoever wrote, and while they may be answered. One that nobody is
  /// known to have written is taken for one, unless a setting says otherwise.
  fileprivate func inbound(of form: ReplyForm, from writer: PhoneNumber) throws -> Prelude
    .InboundMessage?
  {
    guard let inbound = try InboundMessage.find(form.replyTo, in: sandbox) else {
      guard settings.inboundMessages == "open" else {
        throw Problem(.invalidReplyContext, param: "reply_to")
      }
      return nil
    }
    guard inbound.from == writer else { throw Problem(.phoneNumberMismatch, param: "to") }
    if let end = try inbound.answerableUntil(in: sandbox), sandbox.clock.now > end {
      throw Problem(.windowExpired, param: "reply_to")
    }
    return inbound
  }
}
