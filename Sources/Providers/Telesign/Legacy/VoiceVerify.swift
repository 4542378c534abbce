import Domain
import HTTP
import JSON
import ProviderKit

// Voice Verify. Source: contract 7.2.

func createCallVerification(_ context: RequestContext) throws -> Response {
  try context.request.form.declare(["redial"])
  let number = try context.number(context.required("phone_number"))
  try context.checkUseCaseAndIP()
  let draft = try context.readCall(
    to: number, as: "call", text: context.text("tts_message", upTo: 2000),
    customCode: context.customCode(3...5))
  return try context.respond(with: context.sendUnlessForwarded(draft), isNew: true)
}

/// Source: the example in contract 7.2.
let defaultCallerID = "15550100000"

extension RequestContext {
  /// Does not call a forwarded number if the request asks for that.
  func sendUnlessForwarded(_ draft: LegacyCodeDraft) throws -> LegacyVerification {
    guard draft.details.forwarding?.blocks ?? false else { return try send(draft) }
    return try block(draft, with: 130)
  }

  /// Reads a call from the form. Source: contract 7.2.
  func readCall(
    to number: ParsedNumber, as subResource: String, text: String?, customCode: String?
  ) throws -> LegacyCodeDraft {
    let language = try field("language")
    let callerID = try callerID()
    var details = LegacyDetails(of: subResource)
    details.callerID = callerID
    details.forwarding = ForwardingCheck(
      try forwardingAction(), of: try sandbox.subscribers[number.phoneNumber], at: sandbox.clock.now)
    return LegacyCodeDraft(
      kind: .callVerification, channel: .call, number: number, details: details,
      codeLength: settings.voiceCodeLength, code: customCode, sender: callerID,
      text: CodeText(text, spoken: true, language: language), speech: try speech(in: language),
      callbackURL: try callbackURL())
  }

  private func callerID() throws -> String {
    guard let text = try field("caller_id") else { return defaultCallerID }
    guard let number = ParsedNumber(text, settings) else {
      throw APIError.invalidParameter("caller_id", expected: "a phone number")
    }
    return number.digits
  }

  private func forwardingAction() throws -> ForwardingCheck.Action {
    guard let word = try field("call_forward_action") else { return .flag }
    guard let action = ForwardingCheck.Action(rawValue: word.uppercased()) else {
      throw APIError.invalidParameter("call_forward_action", expected: "block or flag")
    }
    return action
  }

  private func speech(in language: String?) throws -> Speech {
    var speech = Speech()
    speech.language = language ?? "en-US"
    speech.preamble = try switchboardPreamble()
    if let (question, key) = try prompt() {
      speech.asksForKey = true
      speech.question = question
      speech.key = key
    }
    return speech
  }

  /// The prompt for a key before the code: the request's own, or with `pressx` the vendor's. The vendor
  /// chooses a random key for `pressx`, the sandbox always 5. Source:
  /// `data/telesign-2022-voice-verify.swagger.yaml`, `pressx` and `prompt_digit`.
  private func prompt() throws -> (question: String, key: String)? {
    let key = try field("prompt_digit")
    if let key, key.utf8.count != 1 || !key.utf8.allSatisfy({ $0.isDigit }) {
      throw APIError.invalidParameter("prompt_digit", expected: "a digit")
    }
    switch (try text("prompt_message", upTo: 2000), key) {
    case (let question?, let key?): return (question, key)
    case (nil, .some): throw APIError.missing("prompt_message")
    case (.some, nil): throw APIError.missing("prompt_digit")
    case (nil, nil): break
    }
    guard try flag("pressx") ?? false else { return nil }
    return (
      "Hello. Thank you for using the phone verification system. Please press 5 to hear your code.", "5"
    )
  }

  /// What is said or dialled to reach an extension behind a switchboard.
  /// Source: `data/telesign-2022-voice-verify.swagger.yaml`, `extension_type` and `extension_template`.
  private func switchboardPreamble() throws -> String? {
    let template = try text("extension_template", upTo: 28)
    guard let type = try field("extension_type") else {
      guard template == nil else { throw APIError.missing("extension_type") }
      return nil
    }
    guard let template else { throw APIError.missing("extension_template") }
    guard type == "1" || type == "2" else {
      throw APIError.invalidParameter("extension_type", expected: "1 or 2")
    }
    let allowed = type == "1" ? "0123456789," : "0123456789"
    guard template.allSatisfy(allowed.contains) else {
      throw APIError.invalidParameter("extension_template", expected: "characters of \(allowed)")
    }
    return type == "1" ? "(dials \(template))" : "Please connect me with extension \(template)."
  }
}
