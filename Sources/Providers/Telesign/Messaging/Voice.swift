import ProviderKit

// Voice: calls that read a text. Source: contract 9.3.

func placeCall(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  let form = try MessageForm(body, context)
  let voice = try VoiceForm(body, context)
  let rules = AccountRules(context)
  try rules.checkSending(to: form.number)
  try rules.checkCallCountry(of: form.number)
  let externalID = form.metadata.externalID
  let transaction = try Transaction.create(.call, for: context, externalID: externalID) { reference in
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: .call,
      destination: form.number.phoneNumber.description,
      sender: voice.callerID, text: form.text, code: nil)
    draft.speech = voice.speech
    draft.ending = form.number.ending?.scenario
    return [try form.send(draft, for: context)]
  }
  return .json(200) { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", externalID)
    context.writeStatus(103, to: &json)
    writeVoice(pressedKey: "", from: voice.callerID, to: &json)
  }
}

func fetchCall(_ context: RequestContext) throws -> Response {
  let (transaction, message) = try Transaction.find(.call, for: context)
  let entry = try DeliveryTimeline(of: message, in: context.sandbox).entry(at: context.sandbox.clock.now)
  let elapsed = context.sandbox.clock.now - message.submittedAt
  let key = try context.sandbox.calls.find(message.ordinal)?.lastKey(by: elapsed) ?? ""
  return .json(200) { json in
    json.member("reference_id", transaction.reference)
    json.member("external_id", transaction.externalID)
    context.writeStatus(entry.code, at: entry.at, to: &json)
    writeVoice(pressedKey: key, from: message.sender, to: &json)
  }
}

/// Of several keys only the last one is reported. Source: `data/telesign-2022-voice.swagger.yaml`,
/// `user_input`.
private func writeVoice(pressedKey: String, from callerID: String, to json: inout JSONWriter) {
  json.object("voice") { json in
    json.member("user_input", pressedKey)
    json.member("caller_id", callerID)
  }
}

/// The voice parameters of a call. Source: contract 9.3 and `data/telesign-2022-voice.swagger.yaml`.
private struct VoiceForm {
  let callerID: String
  let speech: Speech

  init(_ body: RequestBody, _ context: RequestContext) throws {
    func invalid(_ name: String, expected: String) -> APIError {
      .invalidRequest(in: context.format).because("\(name): expected \(expected)")
    }
    var speech = Speech()
    speech.language = try Self.language(body, context)
    let (question, key) = (try body.text("prompt_message"), try body.text("prompt_digit"))
    guard (question == nil) == (key == nil) else {
      throw invalid("prompt_message", expected: "both prompt_message and prompt_digit, or neither")
    }
    if let question, let key {
      guard key.count == 1, Self.areDigits(key) else { throw invalid("prompt_digit", expected: "a digit") }
      speech.asksForKey = true
      speech.question = question
      speech.key = key
      speech.keyTries = CallDraft.promptTries
    }
    let choices = try body.text("select_digits")
    guard Self.areDigits(choices ?? ""), Set(choices ?? "").count == choices?.count ?? 0 else {
      throw invalid("select_digits", expected: "digits, each at most once")
    }
    let again = try body.text("repeat_digit")
    guard again.map({ $0.count == 1 && Self.areDigits($0) }) ?? true else {
      throw invalid("repeat_digit", expected: "a digit")
    }
    speech.menu = try Self.menu(choices ?? "", again, body)
    self.speech = speech
    callerID = try Self.callerID(body, context)
  }

  /// The keys that the request offers, each with its text; nil if there are none.
  /// Source: `data/telesign-2022-voice.swagger.yaml`, `select_digits` and the parameters after it.
  private static func menu(_ choices: String, _ again: String?, _ body: RequestBody) throws -> Speech.Menu? {
    guard !choices.isEmpty || again != nil else { return nil }
    var menu = Speech.Menu(
      try choices.map { Speech.Menu.Answer(key: String($0), text: try body.text("tts_message_\($0)") ?? "") })
    menu.repeatKey = again
    menu.repeatLimit = 3
    if again != nil { menu.repeatText = try body.text("tts_repeat") ?? "" }
    return menu
  }

  /// The language of a voice: `f-en-US` is a female voice in American English.
  ///
  /// Upper and lower case are the same: the provider's table has `f-fr-FR`, its examples have `f-FR-fr`.
  private static func language(_ body: RequestBody, _ context: RequestContext) throws -> String {
    guard let voice = try body.text("voice") else { return "en-US" }
    let name = voice.dropFirst(2).lowercased()
    guard voice.hasPrefix("f-") || voice.hasPrefix("m-"),
      let language = languages.first(where: { $0.lowercased() == name })
    else {
      throw APIError(11018, in: context.format).because("voice: expected a known voice such as f-en-US")
    }
    return language
  }

  private static func callerID(_ body: RequestBody, _ context: RequestContext) throws -> String {
    guard let text = try body.text("caller_id") else { return CallDraft.defaultCallerID }
    guard let number = ParsedNumber(text, context.settings) else {
      throw APIError.invalidRequest(in: context.format).because("caller_id: expected a phone number")
    }
    return number.digits
  }

  private static func areDigits(_ text: String) -> Bool {
    text.utf8.count <= 10 && text.utf8.allSatisfy { $0.isDigit }
  }

  private static let languages = embedded {
    try TextTable(PackageResources.VoiceLanguages_txt, columns: 1...1).rows.map { $0[0] }
  }
}
