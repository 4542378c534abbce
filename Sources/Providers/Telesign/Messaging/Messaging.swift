import Domain
import HTTP
import JSON
import ProviderKit

// SMS. Source: contract 9.1.

var messagingRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/messaging", as: "sendMessage", of: .messaging, sendMessage),
    route(.get, "/v1/messaging/{reference_id}", as: "fetchMessage", of: .messaging, fetchMessage),
  ]
}

/// `POST /v1/messaging`
func sendMessage(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  let form = try MessageForm(submission, call)
  let sender = try checkedSender(submission, call)
  try checkTemplates(submission, call)
  try call.admitSending(to: form.number)
  let externalID = form.circumstances.externalID
  let transaction = try Transaction.open(.message, for: call, externalID: externalID) { reference in
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: .sms,
      destination: form.number.number.description,
      sender: sender ?? defaultSender, text: form.text, code: form.code)
    draft.ending = form.number.ending?.scenario
    return [
      try call.dispatch(draft, to: form.number, externalID: externalID, callbackURL: form.callbackURL)
    ]
  }
  return call.answer(call.settings.messagingStatus == 201 ? 201 : 200) { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", externalID)
    call.writeStatus(290, to: &json)
  }
}

/// `GET /v1/messaging/{reference_id}`
func fetchMessage(_ call: Call) throws -> Response {
  let (transaction, message) = try Transaction.find(.message, for: call)
  let step = try Course(of: message, in: call.sandbox).step(at: call.sandbox.clock.now)
  let facts = try call.settings.showsAdditionalInfo ? DeliveryFacts(of: message, in: call.sandbox) : nil
  return call.answer { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", transaction.externalID)
    call.writeStatus(step.code, at: step.at, to: &json)
    facts?.write(to: &json)
  }
}

private func checkedSender(_ submission: Submission, _ call: Call) throws -> String? {
  let sender = try submission.text("sender_id")
  guard sender?.count ?? 0 <= 20 else {
    throw Problem(11013, in: call.family).because("sender_id: expected up to 20 characters")
  }
  return sender
}

/// India's registry has numbers for senders and their templates; what they name is not looked at.
private func checkTemplates(_ submission: Submission, _ call: Call) throws {
  _ = try submission.text("is_primary")
  for (name, code) in [("dlt_template_id", 11034), ("dlt_entity_id", 11035)] {
    let text = try submission.text(name)
    guard text?.utf8.count ?? 0 <= 30, text?.utf8.allSatisfy({ $0.isDigit }) ?? true else {
      throw Problem(code, in: call.family).because("\(name): expected up to 30 digits")
    }
  }
}
