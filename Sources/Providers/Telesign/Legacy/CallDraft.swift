import ProviderKit

/// A call as the form describes it: the parameters that Voice and Smart Verify share. Source: contract 7.2.
struct CallDraft {
  /// Source: the example in contract 7.2.
  static let defaultCallerID = "15550100000"

  /// How many wrong keys end a call with a prompt. Source: `data/telesign-2022-voice-verify.swagger.yaml`,
  /// `prompt_message`.
  static let promptTries = 3

  let form: LegacyForm
  let context: RequestContext

  func draft(to number: ParsedNumber, as subResource: String) throws -> LegacyCodeDraft {
    let text = try form.text("tts_message", upTo: 2000)
    let customCode = try form.customCode(3...5)
    let language = form.text("language")
    let callerID = try callerID()
    var details = LegacyDetails(of: subResource)
    details.callerID = callerID
    details.forwarding = ForwardingCheck(
      try forwardingAction(), of: try context.sandbox.subscribers[number.phoneNumber],
      at: context.sandbox.clock.now)
    return LegacyCodeDraft(
      kind: .callVerification, channel: .call, number: number, details: details,
      codeLength: context.settings.voiceCodeLength, code: customCode, sender: callerID,
      text: CodeText(text, spoken: true, language: language),
      speech: try speech(in: language),
      callbackURL: try CallbackURL.chosen(by: form.text("callback_url"), in: context))
  }

  private func callerID() throws -> String {
    guard let text = form.text("caller_id") else { return Self.defaultCallerID }
    guard let number = ParsedNumber(text, context.settings) else {
      throw APIError.invalidParameter("caller_id", expected: "a phone number")
    }
    return number.digits
  }

  private func forwardingAction() throws -> ForwardingCheck.Action {
    guard let word = form.text("call_forward_action") else { return .flag }
    guard let action = ForwardingCheck.Action(rawValue: word.uppercased()) else {
      throw APIError.invalidParameter("call_forward_action", expected: "block or flag")
    }
    return action
  }

  private func speech(in language: String?) throws -> Speech {
    var speech = Speech()
    speech.language = language ?? "en-US"
    speech.preamble = try switchboardPreamble()
    if let (question, key, tries) = try prompt() {
      speech.asksForKey = true
      speech.question = question
      speech.key = key
      speech.keyTries = tries
    }
    return speech
  }

  /// The prompt for a key before the code: the request's own, or with `pressx` the provider's. The provider
  /// chooses a random key for `pressx`, the sandbox always 5. `tries` wrong keys end the call. Source:
  /// `data/telesign-2022-voice-verify.swagger.yaml`, `pressx` and `prompt_digit`.
  private func prompt() throws -> (question: String, key: String, tries: Int)? {
    let key = form.text("prompt_digit")
    if let key, key.utf8.count != 1 || !key.utf8.allSatisfy({ $0.isDigit }) {
      throw APIError.invalidParameter("prompt_digit", expected: "a digit")
    }
    switch (try form.text("prompt_message", upTo: 2000), key) {
    case (let question?, let key?): return (question, key, Self.promptTries)
    case (nil, .some): throw APIError.missing("prompt_message")
    case (.some, nil): throw APIError.missing("prompt_digit")
    case (nil, nil): break
    }
    guard try form.flag("pressx") ?? false else { return nil }
    return (
      "Hello. Thank you for using the phone verification system. Please press 5 to hear your code.", "5",
      2
    )
  }

  /// What is said or dialled to reach an extension behind a switchboard.
  /// Source: `data/telesign-2022-voice-verify.swagger.yaml`, `extension_type` and `extension_template`.
  private func switchboardPreamble() throws -> String? {
    let template = try form.text("extension_template", upTo: 28)
    guard let type = form.text("extension_type") else {
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
