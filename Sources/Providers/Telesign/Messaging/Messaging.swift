import Domain
import HTTP
import JSON
import ProviderKit

// SMS. Source: contract 9.1.

func sendMessage(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  let form = try MessageForm(body, context)
  let sender = try readSender(body, context)
  try checkDLTParameters(body, context)
  try context.checkCanSend(to: form.number)
  let externalID = form.metadata.externalID
  let transaction = try Transaction.create(.message, for: context, externalID: externalID) { reference in
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: .sms,
      destination: form.number.phoneNumber.description,
      sender: sender ?? defaultSender, text: form.text, code: form.code)
    draft.ending = form.number.ending?.scenario
    return [try context.send(draft, form)]
  }
  return context.respond(context.settings.messagingStatus == 201 ? 201 : 200) { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", externalID)
    context.writeStatus(290, to: &json)
  }
}

func fetchMessage(_ context: RequestContext) throws -> Response {
  let (transaction, message) = try Transaction.find(.message, for: context)
  let entry = try DeliveryTimeline(of: message, in: context.sandbox).entry(at: context.sandbox.clock.now)
  let info =
    try context.settings.showsAdditionalInfo ? AdditionalInfo(of: message, in: context.sandbox) : nil
  return context.respond { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", transaction.externalID)
    context.writeStatus(entry.code, at: entry.at, to: &json)
    info?.write(to: &json)
  }
}

private func readSender(_ body: RequestBody, _ context: RequestContext) throws -> String? {
  let sender = try body.text("sender_id")
  guard sender?.count ?? 0 <= 20 else {
    throw APIError(11013, in: context.format).because("sender_id: expected up to 20 characters")
  }
  return sender
}

/// Validates the form of ids from India's registry of senders and templates, which have no effect.
private func checkDLTParameters(_ body: RequestBody, _ context: RequestContext) throws {
  _ = try body.text("is_primary")
  for (name, code) in [("dlt_template_id", 11034), ("dlt_entity_id", 11035)] {
    let text = try body.text(name)
    guard text?.utf8.count ?? 0 <= 30, text?.utf8.allSatisfy({ $0.isDigit }) ?? true else {
      throw APIError(code, in: context.format).because("\(name): expected up to 30 digits")
    }
  }
}

/// The parameters that SMS and Voice share. Source: contract 9.1 and 9.3.
struct MessageForm {
  let number: ParsedNumber
  let text: String
  /// Set if the message is a one-time password with a recognizable code.
  let code: String?
  let metadata: RequestMetadata
  let callbackURL: String?

  init(_ body: RequestBody, _ context: RequestContext) throws {
    guard let digits = try body.text("phone_number") else { throw APIError(12000, in: context.format) }
    number = try context.number(digits)
    guard let text = try body.text("message") else { throw APIError(12009, in: context.format) }
    guard text.count <= 1600 else {
      throw APIError(11009, in: context.format).because("message: expected up to 1600 characters")
    }
    guard let word = try body.text("message_type") else { throw APIError(12017, in: context.format) }
    guard let type = MessageType(rawValue: word) else {
      throw APIError(11017, in: context.format).because("message_type: expected one of \(MessageType.words)")
    }
    self.text = text
    code = type == .oneTimePassword ? passcode(in: text) : nil
    metadata = try RequestMetadata(body, in: context.format)
    callbackURL = try context.callbackURL(in: body)
  }
}

/// Source: contract 9.1.
enum MessageType: String, CaseIterable {
  case oneTimePassword = "OTP"
  case notification = "ARN"
  case marketing = "MKT"

  static let words = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The code in the text of a one-time password: the only run of 4 to 8 digits, which may be repeated.
func passcode(in text: String) -> String? {
  let runs = Set(text.split { !("0"..."9").contains($0) }.filter { (4...8).contains($0.count) })
  return runs.count == 1 ? runs.first.map { String($0) } : nil
}

extension RequestContext {
  /// The URL of the callback: that of the request, if the account may choose it, else that of the settings.
  /// Source: contract 9.1, 9.2 and 13.1.
  func callbackURL(in body: RequestBody) throws -> String? {
    guard let url = try body.text("callback_url") else {
      return settings.callbackURL.isEmpty ? nil : settings.callbackURL
    }
    try checkCallbackURL(
      url, notAllowed: APIError(format == .omnichannel ? 3203 : 10012, in: format),
      invalid: APIError(format == .omnichannel ? 3106 : 11004, in: format))
    return url
  }

  /// Sends a message of a transaction and schedules its callback.
  func send(_ draft: MessageDraft, _ form: MessageForm) throws -> Message {
    let message = try sandbox.messages.submit(draft, to: sandbox.subscribers[form.number.phoneNumber])
    var callback = Callback(.messageDelivery, of: message.ordinal, as: draft.reference, for: customer)
    callback.externalID = form.metadata.externalID
    let timeline = try DeliveryTimeline(of: message, in: sandbox)
    try callback.schedule(at: timeline.finalEntry?.at, to: form.callbackURL, in: sandbox)
    return message
  }
}
