import Basics
import Domain
import JSON
import Numbers
import Testing

@Suite("Domain · calls")
struct CallTests {
  let world: World

  init() throws { world = try World() }

  @Test("an answered call reads its text, as many times as configured")
  func answered() throws {
    var speech = Speech()
    speech.repeats = 2

    let message = try submit(speech)

    #expect(message.code == "1234")
    #expect(
      try heard(message) == [
        "0 network (ringing)", "300 person (answers)", "300 caller Your code is 1234",
        "300 caller Your code is 1234",
      ])
    #expect(try world.sandbox.calls.find(message.ordinal)?.key == .notAsked)
  }

  @Test("a transcript has what was heard so far")
  func progress() throws {
    let call = try #require(try world.sandbox.calls.find(submit(Speech()).ordinal))

    #expect(call.transcript(by: .milliseconds(299)).map(\.text) == ["(ringing)"])
    #expect(call.transcript(by: .milliseconds(300)).count == 3)
  }

  @Test("if a call asks for a key, the person presses it and then hears the text")
  func asked() throws {
    let message = try submit(.asking)

    #expect(message.code == "1234")
    #expect(
      try heard(message) == [
        "0 network (ringing)", "300 person (answers)",
        "300 caller Please press any key to hear your code.", "1300 person (presses 1)",
        "1300 caller Your code is 1234",
      ])
    #expect(try world.sandbox.calls.find(message.ordinal)?.key == .pressed)
  }

  @Test(
    "a code that is not heard is not saved with the message",
    arguments: [
      ("voicemail", true, Call.Key.none), ("answerHangup", false, .notAsked), ("answerHangup", true, .none),
      ("busy", true, .notAsked), ("noAnswer", false, .notAsked), ("decline", false, .notAsked),
      ("unreachable", true, .notAsked),
    ])
  func unheard(outcome: String, asks: Bool, key: Call.Key) throws {
    try scenario(#"{"outcome":"\#(outcome)"}"#)

    let message = try submit(asks ? .asking : Speech())

    #expect(message.code == nil && message.text.isEmpty)
    #expect(try !heard(message).contains { $0.contains("1234") })
    #expect(try world.sandbox.calls.find(message.ordinal)?.key == key)
  }

  @Test("voicemail hears the text only if no key is needed")
  func careless() throws {
    try scenario(#"{"outcome":"voicemail"}"#)

    let message = try submit(Speech())

    #expect(message.code == "1234")
    #expect(try heard(message)[1] == "300 machine Nobody is here. Please speak after the tone.")
  }

  @Test("the text is not read until a key is pressed")
  func pressing() throws {
    try scenario(#"{"outcome":"answer","keys":""}"#)
    let message = try submit(.asking)
    #expect(try heard(message).last == "30300 network (the call ends)")
    try world.sandbox.advance(by: .seconds(5))

    guard case .accepted(let heard) = try world.sandbox.calls.press("4#", during: message.ordinal) else {
      Issue.record("the call took no keys")
      return
    }

    #expect(heard.code == "1234" && heard.text == "Your code is 1234")
    #expect(
      try self.heard(message).suffix(2) == ["5000 person (presses 4#)", "5000 caller Your code is 1234"])
    let call = try #require(try world.sandbox.calls.find(message.ordinal))
    #expect(call.keys == "4#" && call.key == .pressed)
  }

  @Test("further keys are recorded, and the text is read once")
  func morePresses() throws {
    let message = try submit(.asking)

    _ = try world.sandbox.calls.press("23", during: message.ordinal)

    #expect(try world.sandbox.calls.find(message.ordinal)?.keys == "123")
    #expect(try heard(message).filter { $0.contains("1234") }.count == 1)
  }

  @Test("a call takes a hundred keys and then ends", arguments: [nil, "7"])
  func manyPresses(asked: String?) throws {
    if asked != nil { try scenario(#"{"outcome":"answer","keys":""}"#) }
    let message = try submit(asked.map { .asking(for: $0) } ?? Speech())
    try world.sandbox.advance(by: .seconds(1))
    let keys = String(repeating: "1", count: 30)
    for _ in 1...4 { _ = try world.sandbox.calls.press(keys, during: message.ordinal) }

    let over = try isOver(message)

    #expect(over == .answered)
    #expect(try world.sandbox.calls.find(message.ordinal)?.keys.count == 100)
    #expect(try heard(message).last?.hasSuffix("network (the call ends)") == true)
  }

  @Test("if a call asks for a certain key, the person presses it; the prompt is the caller's")
  func certainKey() throws {
    let message = try submit(.asking(for: "7"))

    #expect(
      try heard(message).suffix(3) == [
        "300 caller Press 7.", "1300 person (presses 7)", "1300 caller Your code is 1234",
      ])
  }

  @Test("a wrong key starts no reading, the right one does")
  func otherKey() throws {
    try scenario(#"{"outcome":"answer","keys":"1"}"#)
    let message = try submit(.asking(for: "7"))
    #expect(message.code == nil)
    try world.sandbox.advance(by: .seconds(5))

    guard case .accepted(let deaf) = try world.sandbox.calls.press("2", during: message.ordinal),
      case .accepted(let heard) = try world.sandbox.calls.press("7", during: message.ordinal)
    else {
      Issue.record("the call took no keys")
      return
    }

    #expect(deaf.code == nil && heard.code == "1234")
    #expect(
      try self.heard(message).suffix(2) == ["5000 person (presses 127)", "5000 caller Your code is 1234"])
  }

  @Test("after too many wrong keys the call ends, and the right one is too late")
  func tries() throws {
    try scenario(#"{"outcome":"answer","keys":"127"}"#)
    var speech = Speech.asking(for: "7")
    speech.keyTries = 2

    let message = try submit(speech)

    #expect(message.code == nil)
    #expect(
      try heard(message).suffix(2) == ["1300 person (presses 12)", "1300 network (the call ends)"])
    try world.sandbox.advance(by: .milliseconds(1300))
    #expect(try isOver(message) == .answered)
  }

  @Test("a menu is read from the record as it was written, and its first answer is the usual key")
  func menu() throws {
    var speech = Speech.asking
    speech.menu = Speech.Menu([.init(key: "4", text: "Yes."), .init(key: "5", text: "")])
    speech.menu?.repeatKey = "*"
    speech.menu?.repeatText = "Again."

    let message = try submit(speech)

    #expect(
      try heard(message).suffix(5) == [
        "1300 person (presses 1)", "1300 caller Your code is 1234", "1300 person (presses 4)",
        "1300 caller Yes.", "1300 network (the call ends)",
      ])
    let call = try #require(try world.sandbox.calls.find(message.ordinal))
    #expect(call.speech == speech && call.lastKey(by: .seconds(2)) == "4")
    #expect(call.lastKey(by: .seconds(1)).isEmpty)
  }

  @Test("a text can be repeated as often as the menu says, then the caller hangs up")
  func repeats() throws {
    try scenario(#"{"outcome":"answer","keys":"***5"}"#)
    var speech = Speech()
    speech.menu = Speech.Menu([.init(key: "5", text: "Yes.")])
    speech.menu?.repeatKey = "*"
    speech.menu?.repeatLimit = 2

    let message = try submit(speech)

    #expect(try heard(message).filter { $0.hasSuffix("1234") }.count == 3)
    #expect(try heard(message).last == "1300 network (the call ends)")
    #expect(try world.sandbox.calls.find(message.ordinal)?.keys == "***")
  }

  @Test("the extension is dialled before the text is read")
  func switchboard() throws {
    var speech = Speech.asking
    speech.preamble = "(dials 12)"

    #expect(try heard(submit(speech))[2] == "300 caller (dials 12)")
  }

  @Test(
    "a call that only rings is shown with its number, and nobody answers it",
    arguments: [
      (nil, "300 network (nobody answers)", "1234"), ("answer", "300 person (answers)", "1234"),
      ("busy", "300 network (busy tone)", nil),
      ("unreachable", "300 network (the handset cannot be reached)", nil),
      ("voicemail", "300 machine Nobody is here. Please speak after the tone.", nil),
    ] as [(String?, String, String?)])
  func onlyRings(outcome: String?, line: String, code: String?) throws {
    if let outcome { try scenario(#"{"outcome":"\#(outcome)"}"#) }
    var speech = Speech()
    speech.onlyRings = true

    let message = try submit(speech)

    #expect(message.code == code)
    #expect(try heard(message).prefix(2) == ["0 network (ringing)", line])
  }

  @Test("a call that only rings rings as long as its caller wants")
  func ringTime() throws {
    var speech = Speech()
    speech.onlyRings = true
    speech.ringTime = .seconds(20)

    let message = try submit(speech)

    #expect(try heard(message) == ["0 network (ringing)", "20000 network (nobody answers)"])
    #expect(message.arrivesAt == message.submittedAt)
    #expect(try world.sandbox.calls.find(message.ordinal)?.speech == speech)
  }

  @Test("a call that only rings is not shown by a handset that forwards its calls")
  func forwarded() throws {
    let forwarding = try #require(PhoneNumber("+12025550139"))
    var draft = MessageDraft.text("1234", to: forwarding.description, over: .call)
    draft.speech.onlyRings = true
    let message = try world.sandbox.messages.submit(draft, to: world.sandbox.subscribers[forwarding])
    draft.speech.onlyRings = false
    let spoken = try world.sandbox.messages.submit(draft, to: world.sandbox.subscribers[forwarding])

    #expect(message.arrivesAt == nil)
    #expect(try world.sandbox.messages.problem(with: message)?.contains("0139") == true)
    #expect(spoken.arrivesAt != nil)
  }

  @Test("a call that is over, or that no person answered, accepts no keys")
  func over() throws {
    try scenario(#"{"outcome":"answer","keys":""}"#)
    let late = try submit(.asking)
    try world.sandbox.advance(by: .milliseconds(30_300))
    try scenario(#"{"outcome":"voicemail"}"#)
    let machine = try submit(.asking)

    #expect(try isOver(late) == .answered)
    #expect(try isOver(machine) == .voicemail)
    let text = try world.sandbox.messages.submit(.text("1"), to: nil)
    guard case .unknown = try world.sandbox.calls.press("1", during: text.ordinal) else {
      Issue.record("a text took keys")
      return
    }
  }

  @Test("a call is deleted with its message")
  func history() throws {
    var history = Retention()
    history.maxOrdinals = 100
    let world = try World(retention: history)
    for number in 1000..<1400 {
      try world.start("+1202555\(number)", over: .call)
      try world.sandboxes.commit()
    }

    #expect(try world.count("SELECT count(*) FROM calls") < 300)
    #expect(
      try world.count("SELECT count(*) FROM calls")
        == world.count("SELECT count(*) FROM messages WHERE channel = 'call'"))
  }

  private func submit(_ speech: Speech) throws -> Message {
    var draft = MessageDraft.text("1234", over: .call)
    draft.speech = speech
    return try world.sandbox.messages.submit(draft, to: nil)
  }

  private func scenario(_ document: String) throws {
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(document))])
  }

  private func heard(_ message: Message) throws -> [String] {
    let call = try #require(try world.sandbox.calls.find(message.ordinal))
    return call.transcript(by: .seconds(3600)).map {
      "\($0.after.milliseconds) \($0.speaker.rawValue) \($0.text)"
    }
  }

  private func isOver(_ message: Message) throws -> CallPlan.Result? {
    guard case .over(let result) = try world.sandbox.calls.press("1", during: message.ordinal) else {
      return nil
    }
    return result
  }
}

extension Speech {
  /// Speech that asks for a key first.
  fileprivate static var asking: Speech {
    var speech = Speech()
    speech.asksForKey = true
    return speech
  }

  /// Speech with its own prompt for one key.
  fileprivate static func asking(for key: String) -> Speech {
    var speech = asking
    speech.question = "Press \(key)."
    speech.key = key
    return speech
  }
}
