import JSON

/// How a call is to speak. Source: `carrier.md` 1.3.
package struct Speech: Equatable, Sendable {
  /// The language, as the provider names it.
  package var language = "en"
  /// How often the words are said.
  package var repeats = 1
  /// Whether the person must press a key before the words are said, so that no machine hears them.
  package var asksForKey = false
  /// How the person is asked for it.
  package var question = "Please press any key to hear your code."
  /// The key that it must be; nil: any.
  package var key: String?
  /// What a switchboard is told before all else, or dialled; nil: none stands between.
  package var preamble: String?
  /// Whether the call is not for answering: the number that it comes from says it all.
  package var onlyRings = false

  /// Says it once, in English, to whoever answers.
  package init() {}
}

/// A call that read something out, or tried to: what the network knows of it beside its message.
/// Source: `carrier.md` 1.3.
package struct Call: Equatable, Sendable {
  /// Whether the person was asked for a key, and pressed one.
  package enum Key: String, CaseIterable, Sendable {
    /// Nobody was asked.
    case notAsked
    /// Somebody was asked and pressed one.
    case pressed
    /// Somebody or something was asked and pressed none.
    case none
  }

  /// The ordinal of its message.
  package let ordinal: Int
  /// How it ends.
  package let result: CallPlan.Result
  /// How it speaks.
  package let speech: Speech
  /// What it says once it may.
  let words: String
  /// The code in that.
  let code: String?
  /// When it was answered or failed, counted from its start.
  package let settledAfter: Duration
  /// Keys that were pressed, in order.
  package internal(set) var keys: String
  /// When the one that let the words be said was pressed, counted from the call's start; the last one, as long as none
  /// has.
  var pressedAfter: Duration?

  /// How long somebody who was asked for a key is waited for.
  package static let timeout = Duration.seconds(30)

  /// Whether the words are heard by a person or by a machine.
  package var isHeard: Bool {
    if speech.onlyRings { return result.shows }
    return switch result {
    case .answered, .voicemail: !speech.asksForKey || hasWantedKey
    case .hungUp, .busy, .noAnswer, .declined, .unreachable: false
    }
  }

  /// What came of the question for a key.
  package var key: Key {
    guard speech.asksForKey, result.isTaken else { return .notAsked }
    return keys.isEmpty ? .none : .pressed
  }

  private var hasWantedKey: Bool { speech.key.map(keys.contains) ?? !keys.isEmpty }

  /// The keys that were pressed by now.
  package func keys(by elapsed: Duration) -> String {
    pressedAfter.map { $0 <= elapsed } ?? false ? keys : ""
  }

  /// When the line is dropped, counted from the call's start.
  package var endsAfter: Duration {
    switch result {
    case .answered: (pressedAfter ?? settledAfter) + Self.timeout
    case .voicemail, .hungUp: settledAfter + .seconds(2)
    case .busy, .noAnswer, .declined, .unreachable: settledAfter
    }
  }
}

extension Call {
  /// The call that a plan makes of a message.
  init(_ plan: CallPlan, of draft: MessageDraft, ordinal: Int, settledAfter: Duration) {
    let pressed = plan.keys ?? draft.speech.key ?? Keys.usual
    let presses = draft.speech.asksForKey && plan.result == .answered && !pressed.isEmpty
    self.init(
      ordinal: ordinal, result: plan.result, speech: draft.speech, words: draft.text, code: draft.code,
      settledAfter: settledAfter, keys: presses ? pressed : "",
      pressedAfter: presses ? settledAfter + .seconds(1) : nil)
  }

  /// Reads what `record` wrote.
  init(ordinal: Int, _ fields: Fields) throws {
    guard let result = CallPlan.Result(rawValue: try fields.string("result")) else {
      throw fields.mismatch("result", expected: "a call's result")
    }
    var speech = Speech()
    speech.language = try fields.string("language")
    speech.repeats = try fields.int("repeats")
    speech.asksForKey = try fields.bool("asksForKey")
    speech.question = try fields.optionalString("question") ?? speech.question
    speech.key = try fields.optionalString("key")
    speech.preamble = try fields.optionalString("preamble")
    speech.onlyRings = try fields.optionalBool("onlyRings") ?? false
    self.init(
      ordinal: ordinal, result: result, speech: speech, words: try fields.string("words"),
      code: try fields.optionalString("code"), settledAfter: .milliseconds(try fields.int("settledAfter")),
      keys: try fields.string("keys"),
      pressedAfter: try fields.optionalInt("pressedAfter").map { .milliseconds($0) })
  }

  /// The call as its row has it.
  var record: String {
    let bytes = JSONWriter.object { json in
      json.member("result", result.rawValue)
      json.member("language", speech.language)
      json.member("repeats", speech.repeats)
      json.member("asksForKey", speech.asksForKey)
      if speech.asksForKey { json.member("question", speech.question) }
      if let key = speech.key { json.member("key", key) }
      if let preamble = speech.preamble { json.member("preamble", preamble) }
      if speech.onlyRings { json.member("onlyRings", true) }
      json.member("words", words)
      json.member("code", code)
      json.member("settledAfter", settledAfter.milliseconds)
      json.member("keys", keys)
      json.member("pressedAfter", pressedAfter?.milliseconds)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
