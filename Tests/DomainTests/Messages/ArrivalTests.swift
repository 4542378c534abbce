import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · order of arrival")
struct ArrivalTests {
  let world: World
  let messages: Messages

  init() throws {
    world = try World()
    messages = world.sandbox.messages
  }

  @Test("the last message is the one that arrived last", arguments: [nil, "+12025550100"])
  func latest(destination: String?) throws {
    try set(#"{"match":{"nth":1},"outcome":"slow"}"#)
    let late = try send("1111")
    let early = try send("2222")
    var filter = Messages.Filter()
    filter.destination = destination

    let before = try messages.latest(filter)
    try world.sandbox.advance(by: .seconds(20))
    let third = try send("3333")

    #expect(before?.ordinal == early.ordinal)
    #expect(try messages.inbox(filter).map(\.code) == ["2222", "1111", "3333"])
    #expect(try messages.latest(filter)?.ordinal == third.ordinal)
    #expect(try messages.page(filter, onHandsets: true, limit: 2).map(\.code) == ["2222", "1111"])
    #expect(try messages.submitted(filter).map(\.code) == ["1111", "2222", "3333"])
    #expect(late.ordinal < early.ordinal)
  }

  @Test(
    "a reader that goes on after the last place misses no late message", arguments: [nil, "+12025550100"])
  func cursor(destination: String?) throws {
    try set(#"{"match":{"nth":1},"outcome":"slow"}"#)
    _ = try send("1111")
    _ = try send("2222")
    var filter = Messages.Filter()
    filter.destination = destination
    filter.after = try #require(try messages.latest(filter)).place

    try world.sandbox.advance(by: .seconds(20))
    let next = try messages.page(filter, onHandsets: true, limit: 10)
    filter.after = next.last?.place ?? 0

    #expect(next.map(\.code) == ["1111"])
    #expect(try messages.page(filter, onHandsets: true, limit: 10) == [])
  }

  @Test("held messages arrive when they are released")
  func held() throws {
    let number = try #require(PhoneNumber("+12025550152"))
    let subscriber = try world.sandbox.subscribers[number]
    _ = try messages.submit(.text("1111", to: "+12025550152"), to: subscriber)
    try set(#"{"outcome":"deliver"}"#)
    _ = try messages.submit(.text("2222", to: "+12025550152"), to: subscriber)

    _ = try world.sandbox.subscribers.apply(SubscriberChange(Fields(#"{"event":"attach"}"#)), to: number)

    #expect(try world.sandbox.texts("+12025550152") == ["Your code is 2222", "Your code is 1111"])
  }

  @Test("a message out of order arrives right after the next one on its channel")
  func outOfOrder() throws {
    try set(#"{"match":{"nth":1},"outcome":"outOfOrder"}"#)
    let first = try send("1111")

    let before = try world.sandbox.texts()
    _ = try send("2222", over: .whatsapp)
    _ = try send("3333", to: "+12025550101")
    let between = try world.sandbox.texts()
    _ = try send("4444")

    #expect((before, between) == ([], ["Your code is 2222"]))
    #expect(try world.sandbox.texts() == ["Your code is 2222", "Your code is 4444", "Your code is 1111"])
    #expect(try messages.find(first.ordinal)?.arrivesAt == world.sandbox.clock.now)
    #expect(first.receipts == Behaviour.delivered.plan(Scenario()).receipts)
    #expect(try world.sandbox.story == ["10:20:30.000 message.arrived +12025550100"])
  }

  @Test("without a next message it arrives after a minute, and only once")
  func outOfOrderAlone() throws {
    try set(#"{"match":{"nth":1},"outcome":"outOfOrder"}"#)
    _ = try send("1111")

    try world.sandbox.advance(by: .seconds(60))
    _ = try send("2222")
    try world.sandbox.advance(by: .seconds(60))

    #expect(try world.sandbox.texts() == ["Your code is 1111", "Your code is 2222"])
    #expect(try world.sandbox.story == ["10:21:30.000 message.arrived +12025550100"])
  }

  @Test("a message that waits for the next one still does after a restart, and after a failed request")
  func restart() throws {
    let directory = try TemporaryDirectory()
    let world = try World(directory.database)
    try set(#"{"match":{"nth":1},"outcome":"outOfOrder"}"#, in: world)
    _ = try send("1111", in: world)
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        _ = try send("2222", in: world)
        throw TestError()
      }
    }
    let before = try world.sandbox.texts()
    try world.sandboxes.commit()
    world.close()

    let reopened = try World(directory.database)
    _ = try send("3333", in: reopened)

    #expect(before == [])
    #expect(try reopened.sandbox.texts() == ["Your code is 3333", "Your code is 1111"])
  }

  private func send(
    _ code: String, to destination: String = "+12025550100", over channel: Channel = .sms,
    in other: World? = nil
  ) throws -> Message {
    try (other ?? world).sandbox.messages.submit(.text(code, to: destination, over: channel), to: nil)
  }

  private func set(_ documents: String..., in other: World? = nil) throws {
    try (other ?? world).sandbox.scenarios.replace(with: documents.map { try Scenario(Fields($0)) })
  }
}
