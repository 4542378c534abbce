import Domain
import HTTP
import JSON
import ProviderKit

// Voice: a text that is read out. Source: contract 9.3.

var voiceRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/voice", as: "placeCall", of: .voice, placeCall),
    route(.get, "/v1/voice/{reference_id}", as: "fetchCall", of: .voice, fetchCall),
  ]
}

/// `POST /v1/voice`
func placeCall(_ call: Call) throws -> Response {
  let submission = try Submission(call.request)
  let form = try MessageForm(submission, call)
  let voice = try VoiceForm(submission, call)
  try call.admitSending(to: form.number)
  let externalID = form.circumstances.externalID
  let transaction = try Transaction.open(.call, for: call, externalID: externalID) { reference in
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: .call,
      destination: form.number.number.description,
      sender: voice.callerID, text: form.text, code: form.code)
    draft.speech = voice.speech
    draft.ending = form.number.ending?.scenario
    return [
      try call.dispatch(draft, to: form.number, externalID: externalID, callbackURL: form.callbackURL)
    ]
  }
  return call.answer { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", externalID)
    call.writeStatus(103, to: &json)
    writeVoice(input: "", from: voice.callerID, to: &json)
  }
}

/// `GET /v1/voice/{reference_id}`
func fetchCall(_ call: Call) throws -> Response {
  let (transaction, message) = try Transaction.find(.call, for: call)
  let step = try Course(of: message, in: call.sandbox).step(at: call.sandbox.clock.now)
  let elapsed = call.sandbox.clock.now - message.submittedAt
  let keys = try call.sandbox.calls.find(message.ordinal)?.keys(by: elapsed) ?? ""
  return call.answer { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", transaction.externalID)
    call.writeStatus(step.code, at: step.at, to: &json)
    writeVoice(input: String(keys.suffix(1)), from: message.sender, to: &json)
  }
}

/// Of several keys the last is told. Source: `data/telesign-2022-voice.swagger.yaml`, `user_input`.
private func writeVoice(input: String, from callerID: String, to json: inout JSONWriter) {
  json.object("voice") { json in
    json.member("user_input", input)
    json.member("caller_id", callerID)
  }
}
