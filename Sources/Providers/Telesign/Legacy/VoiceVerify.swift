import Domain
import HTTP
import JSON
import ProviderKit

// Voice Verify. Source: contract 7.2.

/// `POST /v1/verify/call`
func createCallVerification(_ call: Call) throws -> Response {
  try call.request.form.declare(["redial"])
  let number = try call.number(call.required("phone_number"))
  try call.checkCircumstances()
  let sending = try call.readCall(
    to: number, as: "call", text: call.text("tts_message", upTo: 2000), ownCode: call.ownCode(3...5))
  return try call.answer(call.place(sending), isNew: true)
}

/// The number that calls come from where the request does not say. Source: the example in contract 7.2.
let defaultCallerID = "15550100000"

extension Call {
  /// Makes a call, unless it is forwarded and the request wants none then.
  func place(_ sending: LegacySending) throws -> LegacyVerification {
    guard sending.record.forwarding?.blocks ?? false else { return try send(sending) }
    return try block(sending, with: 130)
  }

  /// A call as the form has it. Source: contract 7.2.
  func readCall(
    to number: Number, as subResource: String, text: String?, ownCode: String?
  ) throws -> LegacySending {
    let language = try field("language")
    var record = LegacyRecord(of: subResource)
    record.callerID = try callerID()
    record.forwarding = ForwardingCheck(
      try forwardingAction(), of: try sandbox.subscribers[number.number], at: sandbox.clock.now)
    return LegacySending(
      kind: .callVerification, channel: .call, number: number, record: record,
      codeLength: settings.voiceCodeLength, code: ownCode, sender: record.callerID ?? "",
      text: LegacyText(text, spoken: true, language: language), speech: try speech(in: language),
      callbackURL: try callbackURL())
  }

  private func callerID() throws -> String {
    guard let text = try field("caller_id") else { return defaultCallerID }
    guard let number = Number(text, settings) else {
      throw Problem.invalidParameter("caller_id", expected: "a phone number")
    }
    return number.digits
  }

  private func forwardingAction() throws -> ForwardingCheck.Action {
    guard let word = try field("call_forward_action") else { return .flag }
    guard let action = ForwardingCheck.Action(rawValue: word.uppercased()) else {
      throw Problem.invalidParameter("call_forward_action", expected: "block or flag")
    }
    return action
  }

  /// How the call speaks: whether a key must be pressed first, and which; what a switchboard is told.
  private func speech(in language: String?) throws -> Speech {
    var speech = Speech()
    speech.language = language ?? "en-US"
    speech.preamble = try switchboardOrder()
    if let (question, key) = try prompt() {
      speech.asksForKey = true
      speech.question = question
      speech.key = key
    }
    return speech
  }

  /// The question for a key: the request's own, or with `pressx` the vendor's. The vendor draws the key; here it is
  /// always the same. Source: `data/telesign-2022-voice-verify.swagger.yaml`, `pressx` and `prompt_digit`.
  private func prompt() throws -> (question: String, key: String)? {
    let key = try field("prompt_digit")
    if let key, key.utf8.count != 1 || !key.utf8.allSatisfy({ $0.isDigit }) {
      throw Problem.invalidParameter("prompt_digit", expected: "a digit")
    }
    switch (try text("prompt_message", upTo: 2000), key) {
    case (let question?, let key?): return (question, key)
    case (nil, .some): throw Problem.missing("prompt_message")
    case (.some, nil): throw Problem.missing("prompt_digit")
    case (nil, nil): break
    }
    guard try flag("pressx") ?? false else { return nil }
    return (
      "Hello. Thank you for using the phone verification system. Please press 5 to hear your code.", "5"
    )
  }

  /// What an old switchboard needs: digits that are dialled, or an operator who is asked.
  /// Source: `data/telesign-2022-voice-verify.swagger.yaml`, `extension_type` and `extension_template`.
  private func switchboardOrder() throws -> String? {
    let template = try text("extension_template", upTo: 28)
    guard let type = try field("extension_type") else {
      guard template == nil else { throw Problem.missing("extension_type") }
      return nil
    }
    guard let template else { throw Problem.missing("extension_template") }
    guard type == "1" || type == "2" else {
      throw Problem.invalidParameter("extension_type", expected: "1 or 2")
    }
    let takes = type == "1" ? "0123456789," : "0123456789"
    guard template.allSatisfy(takes.contains) else {
      throw Problem.invalidParameter("extension_template", expected: "some of \(takes)")
    }
    return type == "1" ? "(dials \(template))" : "Please connect me with extension \(template)."
  }
}
