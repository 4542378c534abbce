import Basics
import Domain
import Numbers
import Support
import Testing

@Suite("Domain · messages")
struct MessagesTests {
  let world: World
  let messages: Messages

  init() throws {
    world = try World()
    messages = world.sandbox.messages
  }

  @Test("a submitted message is found with all its fields")
  func submitting() throws {
    let message = try messages.submit(.text("123456", over: .whatsapp), to: nil)

    #expect(try messages.find(message.ordinal) == message)
    #expect(
      [
        message.provider, message.reference, message.channel.rawValue, message.destination, message.sender,
        message.text,
      ]
        == ["acme", "ref", "whatsapp", "+12025550100", "Acme", "Your code is 123456"])
  }

  @Test("a message without a code has none")
  func noCode() throws {
    let message = try messages.submit(.text(nil), to: nil)

    #expect(try messages.find(message.ordinal)?.code == nil)
  }

  @Test("an id shows at least six digits")
  func ids() throws {
    let message = try messages.submit(.text("123456"), to: nil)

    #expect(message.id == "msg_00000\(message.ordinal)")
  }

  @Test("receipts are shown from their time on")
  func receipts() throws {
    let message = try messages.submit(.text("123456"), to: nil)

    let states = [0, 49, 50, 199, 200, 99_999].map { elapsed in
      let time = TestSandbox.start + .milliseconds(elapsed)
      return "\(message.receipts(by: time).count) \(message.state(at: time).rawValue)"
    }

    #expect(states == ["0 ACCEPTD", "0 ACCEPTD", "1 ENROUTE", "1 ENROUTE", "2 DELIVRD", "2 DELIVRD"])
  }

  @Test("the inbox has the newest message last")
  func order() throws {
    for code in ["1111", "2222", "3333"] { _ = try messages.submit(.text(code), to: nil) }

    #expect(try messages.inbox(.init()).map(\.code) == ["1111", "2222", "3333"])
    #expect(try messages.latest(.init())?.code == "3333")
  }

  @Test("a limit keeps the newest messages of the inbox")
  func limit() throws {
    for code in ["1111", "2222", "3333"] { _ = try messages.submit(.text(code), to: nil) }

    #expect(try messages.inbox(.init(), limit: 2).map(\.code) == ["2222", "3333"])
  }

  @Test("a filter keeps messages that match all of its fields", arguments: ["", "+12025550100"])
  func filters(destination: String) throws {
    let known = destination.isEmpty ? nil : destination
    _ = try messages.submit(.text("1111", over: .call), to: nil)
    _ = try messages.submit(.text("2222", provider: "other"), to: nil)
    let third = try messages.submit(.text(nil), to: nil)
    _ = try messages.submit(.text("4444"), to: nil)

    func codes(_ change: (inout Messages.Filter) -> Void) throws -> [String?] {
      var filter = Messages.Filter()
      filter.destination = known
      change(&filter)
      return try messages.inbox(filter).map(\.code)
    }

    #expect(try codes { $0.channel = .call } == ["1111"])
    #expect(try codes { $0.provider = "other" } == ["2222"])
    #expect(try codes { $0.hasCode = true } == ["1111", "2222", "4444"])
    #expect(try codes { $0.after = third.ordinal } == ["4444"])
    #expect(
      try codes {
        $0.channel = .sms; $0.provider = "acme"; $0.hasCode = true
      } == ["4444"])
  }

  @Test("a handset shows only its own messages")
  func destinations() throws {
    _ = try messages.submit(.text("1111", to: "+12025550101"), to: nil)
    _ = try messages.submit(.text("2222", to: "ada@example.com", over: .email), to: nil)

    #expect(try world.sandbox.texts("ada@example.com") == ["Your code is 2222"])
  }

  @Test("a late message is in the inbox from its arrival on, with an event")
  func late() throws {
    try scenario(Behaviour.slow.name, after: .seconds(20))
    _ = try messages.submit(.text("1111"), to: nil)

    let before = try world.sandbox.texts()
    try world.sandbox.advance(by: .seconds(20))

    #expect(before == [])
    #expect(try world.sandbox.texts() == ["Your code is 1111"])
    #expect(try world.sandbox.story == ["10:20:50.000 message.arrived +12025550100"])
  }

  @Test("a message that never arrives is in no inbox")
  func never() throws {
    try scenario(Behaviour.undeliverable.name)
    let message = try messages.submit(.text("1111"), to: nil)

    try world.sandbox.advance(by: .seconds(86_400))

    #expect(try world.sandbox.texts() == [])
    #expect(message.arrivesAt == nil)
  }

  @Test("clearing one handset leaves the others")
  func clearOne() throws {
    _ = try messages.submit(.text("1111", to: "+12025550101"), to: nil)
    _ = try messages.submit(.text("2222"), to: nil)

    try messages.clear(destination: "+12025550101")

    #expect(try messages.inbox(.init()).map(\.code) == ["2222"])
  }

  @Test("clearing all handsets clears every inbox")
  func clearAll() throws {
    _ = try messages.submit(.text("1111", to: "+12025550101"), to: nil)
    _ = try messages.submit(.text("2222"), to: nil)

    try messages.clear(destination: nil)

    #expect(try messages.inbox(.init()) == [])
  }

  @Test("a message that is cleared before its arrival never arrives")
  func clearedOnItsWay() throws {
    try scenario(Behaviour.slow.name, after: .seconds(20))
    _ = try messages.submit(.text("1111"), to: nil)

    try messages.clear(destination: nil)
    try world.sandbox.advance(by: .seconds(30))

    #expect(try world.sandbox.story == [])
  }

  @Test("a handset without texts still gets calls")
  func unreachable() throws {
    var subscriber = Subscriber(happyLineOf: try #require(PhoneNumber("+12025550100")))
    subscriber.reach.sms = false

    let text = try messages.submit(.text("1111"), to: subscriber)
    let call = try messages.submit(.text("2222", over: .call), to: subscriber)

    #expect(text.receipts == Behaviour.absent.plan(Scenario()).receipts)
    #expect(call.receipts == Behaviour.answer.plan(Scenario()).receipts)
    #expect(try world.sandbox.texts() == ["Your code is 2222"])
  }

  @Test("messages of another sandbox are not visible")
  func isolation() throws {
    let other = try #require(try world.sandboxes.create("other", .init()))
    _ = try other.messages.submit(.text("1111"), to: nil)

    #expect(try messages.inbox(.init()) == [])
  }

  private func scenario(_ outcome: String, after: Duration? = nil) throws {
    var scenario = Scenario()
    scenario.outcome = outcome
    scenario.after = after
    try world.sandbox.scenarios.replace(with: [scenario])
  }
}
