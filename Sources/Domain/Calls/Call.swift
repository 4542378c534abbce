import Basics
import Database
import JSON

/// A call that reads out its message. Source: `carrier.md` 1.3.
package struct Call: Equatable, Sendable {
  package enum Key: String, CaseIterable, Sendable {
    case notAsked
    case pressed
    case none
  }

  /// The ordinal of its message.
  package let ordinal: Int
  package let result: CallPlan.Result
  package let speech: Speech
  /// The text that is read out.
  let text: String
  /// The code in `text`.
  let code: String?
  /// When the call was answered or failed, counted from its start.
  package let settledAfter: Duration
  /// The pressed keys, in order.
  package internal(set) var keys: String
  /// The time from the start of the call to the key that starts the reading; until it is pressed, to the
  /// last wrong key.
  var pressedAfter: Duration?
  /// The time from the start of the call to the last key after that.
  var answeredAfter: Duration?
  /// Nil if the text is known from the start.
  package internal(set) var conversation: Conversation?

  /// How long the call waits for a key.
  package static let timeout = Duration.seconds(30)

  /// True if a person or a machine hears the text.
  package var isHeard: Bool {
    // A machine takes a call that only rings before the handset shows its number.
    if speech.onlyRings { return result.isShown && result != .voicemail }
    return switch result {
    case .answered, .voicemail:
      conversation.map { $0.lines.contains { $0.speaker == .caller } } ?? dialogue.isHeard
    case .hungUp, .busy, .noAnswer, .declined, .unreachable: false
    }
  }

  package var key: Key {
    let isAsked = conversation?.hasAskedForKeys ?? (speech.asksForKey || speech.menu != nil)
    guard isAsked, result.isTaken else { return .notAsked }
    return keys.isEmpty ? .none : .pressed
  }

  var dialogue: KeyDialogue { KeyDialogue(speech, keys: keys) }

  /// The last key that had an effect; without a menu, the last one that was pressed.
  package func lastKey(by elapsed: Duration) -> String {
    let pressed = keys(by: elapsed)
    let dialogue = KeyDialogue(speech, keys: pressed)
    return String((speech.menu == nil || !dialogue.isHeard ? pressed : dialogue.menuKeys).suffix(1))
  }

  /// The keys pressed so far.
  package func keys(by elapsed: Duration) -> String {
    if let answeredAfter, answeredAfter <= elapsed { return keys }
    return pressedAfter.map { $0 <= elapsed } ?? false ? dialogue.questionKeys : ""
  }

  /// When the call ends, counted from its start.
  package var endsAfter: Duration {
    if let conversation {
      return conversation.endsAfter ?? (result.isTaken ? Self.longestConversation : settledAfter)
    }
    return switch result {
    case .answered:
      (answeredAfter ?? pressedAfter ?? settledAfter) + (dialogue.isOver ? .zero : Self.timeout)
    case .voicemail, .hungUp: settledAfter + .seconds(2)
    case .busy, .noAnswer, .declined, .unreachable: settledAfter
    }
  }

  /// A provider ends it earlier.
  private static let longestConversation = Duration.seconds(14_400)

  /// Presses keys. Those after the end of the call are not recorded.
  mutating func press(_ pressed: String, after time: Duration) {
    var dialogue = dialogue
    for key in pressed where !dialogue.isOver {
      if dialogue.isHeard { answeredAfter = time } else { pressedAfter = time }
      dialogue.press(String(key))
      keys.append(key)
    }
  }
}

extension Call {
  init(_ plan: CallPlan, of draft: MessageDraft, ordinal: Int, settledAfter: Duration) {
    self.init(
      ordinal: ordinal, result: plan.result, speech: draft.speech, text: draft.text, code: draft.code,
      settledAfter: settledAfter, keys: "", pressedAfter: nil, answeredAfter: nil)
    if draft.speech.isConversation {
      conversation = Conversation(plannedKeys: plan.keys)
      return
    }
    guard draft.speech.asksForKey || draft.speech.menu != nil, plan.result == .answered else { return }
    press(plan.keys ?? draft.speech.usualKeys, after: settledAfter + .seconds(1))
  }

  /// Reads a `record`.
  init(ordinal: Int, _ fields: Fields) throws {
    guard let result = CallPlan.Result(rawValue: try fields.string("result")) else {
      throw fields.mismatch("result", expected: "a call's result")
    }
    var speech = Speech()
    speech.language = try fields.string("language")
    speech.repeats = try fields.value("repeats", .integer(0...10))
    speech.asksForKey = try fields.bool("asksForKey")
    speech.question = try fields.optionalString("question") ?? speech.question
    speech.key = try fields.optionalString("key")
    speech.keyTries = try fields.optionalInt("keyTries")
    speech.menu = try fields.optionalObject("menu").map(Speech.Menu.init)
    speech.preamble = try fields.optionalString("preamble")
    speech.onlyRings = try fields.optionalBool("onlyRings") ?? false
    speech.ringTime = try fields.optionalInt("ringTime").map { .milliseconds($0) }
    self.init(
      ordinal: ordinal, result: result, speech: speech, text: try fields.string("words"),
      code: try fields.optionalString("code"), settledAfter: .milliseconds(try fields.int("settledAfter")),
      keys: try fields.string("keys"),
      pressedAfter: try fields.optionalInt("pressedAfter").map { .milliseconds($0) },
      answeredAfter: try fields.optionalInt("answeredAfter").map { .milliseconds($0) })
    conversation = try fields.optionalObject("conversation").map(Conversation.init)
  }

  /// The database column.
  var record: String {
    let bytes = JSONWriter.object { json in
      json.member("result", result.rawValue)
      json.member("language", speech.language)
      json.member("repeats", speech.repeats)
      json.member("asksForKey", speech.asksForKey)
      if speech.asksForKey { json.member("question", speech.question) }
      if let key = speech.key { json.member("key", key) }
      if let tries = speech.keyTries { json.member("keyTries", tries) }
      if let menu = speech.menu { json.object("menu") { menu.encode(to: &$0) } }
      if let preamble = speech.preamble { json.member("preamble", preamble) }
      if speech.onlyRings { json.member("onlyRings", true) }
      if let time = speech.ringTime { json.member("ringTime", time.milliseconds) }
      json.member("words", text)
      json.member("code", code)
      json.member("settledAfter", settledAfter.milliseconds)
      json.member("keys", keys)
      json.member("pressedAfter", pressedAfter?.milliseconds)
      if let answeredAfter { json.member("answeredAfter", answeredAfter.milliseconds) }
      if let conversation { json.object("conversation") { conversation.encode(to: &$0) } }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

package struct Calls {
  package enum KeysOutcome {
    case accepted(Message)
    /// There is no such call.
    case unknown
    /// The call is over, or no person answered it.
    case over(CallPlan.Result)
    /// The provider does not wait for keys now.
    case notAsked
  }

  let sandbox: Sandbox

  /// The call of the message with this ordinal.
  package func find(_ ordinal: Int) throws -> Call? {
    let record = try sandbox.database.first(
      "SELECT record FROM calls WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal
    ) { $0.text(0) }
    return try record.map { try Call(ordinal: ordinal, Fields(Array($0.utf8))) }
  }

  /// The calls after an ordinal, oldest first.
  package func page(after ordinal: Int, limit: Int) throws -> [Call] {
    try sandbox.database.all(
      "SELECT ordinal, record FROM calls WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?",
      sandbox.id,
      ordinal, limit
    ) { try Call(ordinal: $0.int(0), Fields(Array($0.text(1).utf8))) }
  }

  /// Presses keys during a call, as `KeyDialogue` describes.
  package func press(_ keys: String, during ordinal: Int) throws -> KeysOutcome {
    guard let message = try sandbox.messages.find(ordinal), var call = try find(ordinal) else {
      return .unknown
    }
    let elapsed = sandbox.clock.now - message.submittedAt
    guard call.result == .answered, elapsed < call.endsAfter else { return .over(call.result) }
    if let conversation = call.conversation { return try press(keys, in: conversation, of: call, message) }
    call.press(keys, after: max(elapsed, call.settledAfter))
    try save(call)
    guard call.isHeard else { return .accepted(message) }
    return .accepted(try sandbox.messages.reveal(call.text, code: call.code, in: message))
  }

  func save(_ call: Call) throws {
    try sandbox.database.run(
      "UPDATE calls SET record = ? WHERE sandbox = ? AND ordinal = ?", call.record, sandbox.id, call.ordinal)
  }

  func insert(_ call: Call) throws {
    try sandbox.database.run(
      "INSERT INTO calls (sandbox, ordinal, record) VALUES (?, ?, ?)", sandbox.id, call.ordinal, call.record)
  }
}
