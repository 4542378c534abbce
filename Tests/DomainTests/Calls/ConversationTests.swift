import Basics
import JSON
import Numbers
import Testing

@testable import Domain

@Suite("Domain · conversations")
struct ConversationTests {
  private let world: World
  private let ear = Ear()

  /// A class, because hooks write to it.
  private final class Ear {
    var heard: [DomainEvent] = []
  }

  init() throws {
    world = try World(hooks: [ProviderHooks(name: "acme") { [ear] event, _ in ear.heard.append(event) }])
  }

  private var calls: Calls { world.sandbox.calls }

  /// A call to a person, one second after its start.
  private func begin(_ scenario: String = #"{"outcome":"answer"}"#) throws -> Int {
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(scenario))])
    var draft = MessageDraft(
      provider: "acme", reference: "ref", channel: .call, destination: "+12025550100", sender: "Acme",
      text: "", code: nil)
    draft.speech.isConversation = true
    draft.speech.ringTime = .seconds(15)
    let number = try #require(PhoneNumber("+12025550100"))
    let message = try world.sandbox.messages.submit(draft, to: world.sandbox.subscribers[number])
    try world.sandbox.advance(by: .seconds(1))
    return message.ordinal
  }

  private func line(_ text: String, after seconds: Int = 1, by speaker: TranscriptLine.Speaker = .caller)
    -> TranscriptLine
  {
    TranscriptLine(after: .seconds(seconds), speaker: speaker, text: text)
  }

  private func transcript(of ordinal: Int, after seconds: Int) throws -> [String] {
    try #require(try calls.find(ordinal)).transcript(by: .seconds(seconds)).map(\.text)
  }

  @Test("what is said is the text of the message, and the code in it is found")
  func speech() throws {
    let call = try begin()
    #expect(try world.sandbox.messages.find(call)?.text == "")

    try calls.add([line("Code"), line("(pause)", by: .network), line("4829", after: 3)], to: call)

    let message = try #require(try world.sandbox.messages.find(call))
    #expect((message.text, message.code, message.codeSource) == ("Code\n4829", "4829", .speech))
    #expect(try transcript(of: call, after: 2) == ["(ringing)", "(answers)", "Code", "(pause)"])
  }

  @Test("the end cuts off what was not said, and nothing is said after it")
  func end() throws {
    let call = try begin()
    try calls.add([line("Now"), line("Later 4829", after: 60)], to: call)

    try calls.end(call)
    try calls.add([line("Too late")], to: call)

    #expect(try world.sandbox.messages.find(call)?.text == "Now")
    #expect(try world.sandbox.messages.find(call)?.code == nil)
    #expect(try transcript(of: call, after: 90) == ["(ringing)", "(answers)", "Now", "(the call ends)"])
  }

  @Test("a call that ends while it rings is not answered")
  func canceled() throws {
    let call = try begin(#"{"outcome":"answer","afterMs":5000}"#)

    try calls.end(call)

    #expect(try transcript(of: call, after: 90) == ["(ringing)", "(the call ends)"])
  }

  @Test("keys are pressed while the provider waits for them, and it learns them")
  func keys() throws {
    let call = try begin()
    guard case .notAsked = try calls.press("1", during: call) else {
      Issue.record("pressed too early")
      return
    }

    try calls.awaitKeys(true, during: call)
    try calls.add([line("Press", after: 1), line("or not", after: 9)], to: call)
    guard case .accepted(let message) = try calls.press("12", during: call) else {
      Issue.record("not pressed")
      return
    }

    #expect(message.text == "Press")
    guard case .keysPressed("12", let during)? = ear.heard.last else {
      Issue.record("not reported")
      return
    }
    #expect(during.ordinal == call)
    let found = try calls.find(call)
    #expect((found?.keys, found?.key) == ("12", .pressed))
    try calls.end(call)
    guard case .over(.answered) = try calls.press("1", during: call) else {
      Issue.record("pressed too late")
      return
    }
  }

  @Test("a person presses the keys of the scenario piece by piece, and a machine none")
  func plannedKeys() throws {
    func take(_ limit: Int?, _ call: Int) throws -> String {
      try calls.takeKeys(usual: "1", limit: limit, endedBy: "#", during: call)
    }
    let scripted = try begin(#"{"outcome":"answer","keys":"12#345"}"#)
    #expect(
      try [take(nil, scripted), take(2, scripted), take(nil, scripted), take(nil, scripted)] == [
        "12#", "34", "5", "",
      ])
    let usual = try begin()
    #expect(try [take(nil, usual), take(1, usual)] == ["1", "1"])
    let machine = try begin(#"{"outcome":"voicemail"}"#)
    #expect(try take(nil, machine) == "")
  }

  @Test("a call that nobody answers rings as long as its provider wants, unless a scenario says how long")
  func ringTime() throws {
    let long = try begin(#"{"outcome":"noAnswer"}"#)
    #expect(try calls.find(long)?.settledAfter == .seconds(15))
    let short = try begin(#"{"outcome":"noAnswer","afterMs":2000}"#)
    #expect(try calls.find(short)?.settledAfter == .seconds(2))
  }

  @Test("the provider is told when it wants to go on, at that time")
  func continuation() throws {
    let call = try begin()

    try calls.continueLater(call, step: 7, at: world.sandbox.clock.now + .seconds(5))
    try world.sandbox.advance(by: .seconds(4))
    #expect(ear.heard.isEmpty)
    try world.sandbox.advance(by: .seconds(1))

    guard case .callContinues(let message, step: 7)? = ear.heard.last else {
      Issue.record("not told")
      return
    }
    #expect(message.ordinal == call)
  }

  @Test("a transcript has limits")
  func limits() throws {
    let call = try begin()

    for _ in 0..<4 { try calls.add(Array(repeating: line("x"), count: 400), to: call) }
    #expect(try calls.find(call)?.conversation?.lines.count == 1000)

    let other = try begin()
    let long = String(repeating: "y", count: 4000)
    for _ in 0..<20 { try calls.add([line(long)], to: other) }
    #expect(try calls.find(other)?.conversation?.lines.count == 8)
    #expect(try world.sandbox.messages.find(other)?.text.count == 8000)
  }
}
