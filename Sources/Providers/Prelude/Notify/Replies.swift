import ProviderKit

// The resource `/v2/notify/reply`. Source: contract 10; the errors:
// https://docs.prelude.so/notify/v2/api-reference/send-a-reply, read 2026-11-21.

func replyToMessage(_ context: RequestContext) throws -> Response {
  let input = try ReplyRequest(context.request.json)
  let receiver = try Validation.phoneNumber(input.to, param: "to", in: context.sandbox)
  let inbound = try inboundMessage(for: input, from: receiver, in: context)
  let (ordinal, now) = (context.sandbox.nextOrdinal(), context.sandbox.clock.now)
  var outgoing = OutgoingMessage(
    ordinal: ordinal, to: receiver, channel: inbound?.app.channel ?? .whatsapp, sender: inbound?.to,
    text: input.text, at: now)
  outgoing.callbackURL = input.callbackURL
  outgoing.correlationID = input.correlationID
  try outgoing.send(in: context.sandbox)
  return .json(200) { json in
    json.member("id", Identifier.text(.message, ordinal, at: now, in: context.sandbox))
    json.member("reply_to", input.replyTo)
    json.member("to", input.to)
    json.member("text", input.text)
    json.member("created_at", now.iso8601Milliseconds)
    if let url = input.callbackURL { json.member("callback_url", url) }
    if let correlationID = input.correlationID { json.member("correlation_id", correlationID) }
  }
}

private struct ReplyRequest {
  let replyTo: String
  let text: String
  let to: String
  let callbackURL: String?
  let correlationID: String?

  init(_ fields: Fields) throws {
    replyTo = try fields.string("reply_to")
    text = try fields.string("text")
    to = try fields.string("to")
    callbackURL = try fields.optionalString("callback_url")
    correlationID = try fields.optionalString("correlation_id")
    guard InboundMessage.isValidID(replyTo) else {
      throw fields.mismatch("reply_to", expected: "the id of an inbound message, im_ and what follows")
    }
    guard !text.isEmpty else { throw APIError(.missingText, param: "text") }
    guard text.count <= 4096 else { throw fields.mismatch("text", expected: "4096 characters at most") }
    try Validation.checkCallbackURL(callbackURL, param: "callback_url")
    try Validation.checkCorrelationID(correlationID, param: "correlation_id")
  }
}

/// The message that is replied to. Replies go to its sender, before the deadline. Nil for unknown messages,
/// which are allowed unless the setting `inboundMessages` says otherwise.
private func inboundMessage(
  for input: ReplyRequest, from sender: PhoneNumber, in context: RequestContext
) throws -> InboundMessage? {
  guard let inbound = try InboundMessage.find(input.replyTo, in: context.sandbox) else {
    guard context.settings.inboundMessages == .open else {
      throw APIError(.invalidReplyContext, param: "reply_to")
    }
    return nil
  }
  guard inbound.from == sender.description else { throw APIError(.phoneNumberMismatch, param: "to") }
  if let deadline = try inbound.replyDeadline(in: context.sandbox), context.sandbox.clock.now > deadline {
    throw APIError(.windowExpired, param: "reply_to")
  }
  return inbound
}
