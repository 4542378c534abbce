import ProviderKit

// SMS. Source: contract 9.1.

func sendMessage(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  let form = try MessageForm(body, context)
  let sender = try readSender(body, context)
  try checkDLTParameters(body, context)
  try AccountRules(context).checkSending(to: form.number)
  let externalID = form.metadata.externalID
  let transaction = try Transaction.create(.message, for: context, externalID: externalID) { reference in
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: .sms,
      destination: form.number.phoneNumber.description,
      sender: sender ?? defaultSender, text: form.text, code: nil)
    draft.ending = form.number.ending?.scenario
    return [try form.send(draft, for: context)]
  }
  return .json(context.settings.messagingStatus == 201 ? 201 : 200) { json in
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
  return .json(200) { json in
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
