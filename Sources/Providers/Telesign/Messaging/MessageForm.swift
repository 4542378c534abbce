import ProviderKit

/// The parameters that SMS and Voice share. Source: contract 9.1 and 9.3.
struct MessageForm {
  let number: ParsedNumber
  let text: String
  let metadata: RequestMetadata
  let callbackURL: String?

  init(_ body: RequestBody, _ context: RequestContext) throws {
    guard let digits = try body.text("phone_number") else { throw APIError(12000, in: context.format) }
    number = try ParsedNumber.toSendTo(digits, in: context)
    guard let text = try body.text("message") else { throw APIError(12009, in: context.format) }
    guard text.count <= 1600 else {
      throw APIError(11009, in: context.format).because("message: expected up to 1600 characters")
    }
    guard let word = try body.text("message_type") else { throw APIError(12017, in: context.format) }
    guard MessageType(rawValue: word) != nil else {
      throw APIError(11017, in: context.format).because("message_type: expected one of \(MessageType.words)")
    }
    self.text = text
    metadata = try RequestMetadata(body, in: context.format)
    callbackURL = try CallbackURL.chosen(by: body.text("callback_url"), in: context)
  }

  /// Sends a message of a transaction and schedules its callback.
  func send(_ draft: MessageDraft, for context: RequestContext) throws -> Message {
    let sandbox = context.sandbox
    let message = try sandbox.messages.submit(draft, to: sandbox.subscribers[number.phoneNumber])
    var callback = Callback(
      .messageDelivery, of: message.ordinal, as: draft.reference, for: context.customer)
    callback.externalID = metadata.externalID
    let timeline = try DeliveryTimeline(of: message, in: sandbox)
    try callback.schedule(at: timeline.finalEntry?.at, to: callbackURL, in: sandbox)
    return message
  }
}

/// Source: contract 9.1.
enum MessageType: String, CaseIterable {
  case oneTimePassword = "OTP"
  case notification = "ARN"
  case marketing = "MKT"
}
