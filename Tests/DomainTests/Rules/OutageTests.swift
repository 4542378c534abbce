import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · networks that are down")
struct OutageTests {
  let world: World

  init() throws { world = try World() }

  @Test("while an operator is down, its texts are held and its calls do not arrive")
  func down() throws {
    try set(#"{"match":{"operator":"Wren Mobile"},"outcome":"networkDown"}"#)

    let text = try send(to: "+12025550145")
    let call = try send(to: "+12025550145", over: .call)
    let other = try send(to: "+12025550100")

    #expect(text.arrivesAt == nil)
    #expect(
      text.receipts.all == [
        .init(.enroute, after: .milliseconds(50)), .init(.expired, after: .seconds(300), error: 34),
      ])
    #expect(call.receipts == Behaviour.unreachable.plan(Scenario()).receipts)
    #expect(other.arrivesAt != nil)
  }

  @Test("a silent verification ends with an error of the carrier")
  func silent() throws {
    try set(#"{"match":{"prefix":"+1202"},"outcome":"networkDown"}"#)
    let number = try #require(PhoneNumber("+12025550100"))

    #expect(try world.sandbox.scenarios.silentOutcome(for: number, provider: "acme") == .carrierError)
  }

  @Test("when the network is back, the texts arrive, in their order")
  func back() throws {
    try set(#"{"match":{"prefix":"+1202"},"outcome":"networkDown"}"#)
    for code in ["1111", "2222"] { _ = try send(code, to: "+12025550100") }
    try world.sandbox.advance(by: .seconds(10))
    let before = try world.sandbox.texts()

    try set()

    #expect(before == [])
    #expect(try world.sandbox.texts() == ["Your code is 1111", "Your code is 2222"])
    #expect(
      try world.sandbox.story == Array(repeating: "10:20:40.000 message.arrived +12025550100", count: 2))
  }

  @Test(
    "a text stays held if another rule or its own line still holds it, or if it has expired",
    arguments: [
      (#"{"match":{"country":"US"},"outcome":"networkDown"}"#, "+12025550100", 10),
      (#"{"outcome":"deliver"}"#, "+12025550152", 10), (#"{"outcome":"deliver"}"#, "+12025550100", 300),
    ])
  func stillHeld(next: String, number: String, seconds: Int) throws {
    try set(#"{"match":{"prefix":"+1202"},"outcome":"networkDown"}"#)
    _ = try send(to: number)
    try world.sandbox.advance(by: .seconds(seconds))

    try set(next)

    #expect(try world.sandbox.texts(number) == [])
  }

  @Test("a text that another scenario holds is not released by the end of an outage")
  func absent() throws {
    try set(#"{"match":{"number":"+12025550100"},"outcome":"absent"}"#)
    _ = try send(to: "+12025550100")
    try set(#"{"match":{"country":"FR"},"outcome":"networkDown"}"#)

    try set()

    #expect(try world.sandbox.texts() == [])
  }

  @Test(
    "a text arrives after an outage, however many came after it",
    arguments: ["undeliverable", "networkDown"])
  func many(outcome: String) throws {
    let outage = #"{"match":{"number":"+12025550100"},"outcome":"networkDown"}"#
    try set(outage)
    _ = try send(to: "+12025550100")
    try set(outage, #"{"outcome":"\#(outcome)"}"#)
    for _ in 1...1000 { _ = try send("2222", to: "+12025550101") }

    try set()

    #expect(try world.sandbox.texts() == ["Your code is 1111"])
  }

  @Test("a handset that is switched on finds no network")
  func attach() throws {
    try set(#"{"match":{"prefix":"+1202"},"outcome":"networkDown"}"#)
    _ = try send(to: "+12025550100")
    let number = try #require(PhoneNumber("+12025550100"))

    _ = try world.sandbox.subscribers.apply(SubscriberChange(Fields(#"{"event":"attach"}"#)), to: number)

    #expect(try world.sandbox.texts() == [])
  }

  private func send(
    _ code: String = "1111", to text: String, over channel: Channel = .sms
  ) throws -> Message {
    let subscriber = try world.sandbox.subscribers[#require(PhoneNumber(text))]
    return try world.sandbox.messages.submit(.text(code, to: text, over: channel), to: subscriber)
  }

  private func set(_ documents: String...) throws {
    try world.sandbox.scenarios.replace(with: documents.map { try Scenario(Fields($0)) })
  }
}
