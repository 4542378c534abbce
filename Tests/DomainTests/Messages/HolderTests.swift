import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · holders of a number and their messages")
struct HolderTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("after a SIM swap, earlier texts stay with the previous card; later ones come to the new one")
  func swap() throws {
    let card = try world.sandbox.subscribers[number].iccid
    try send("1111")
    try apply("simSwap")
    try send("2222")

    #expect(try codes(.present) == ["2222"])
    #expect(try codes(.previous) == ["1111"])
    #expect(try codes(.all) == ["1111", "2222"])
    #expect(try world.sandbox.messages.submitted(.init()).map { $0.formerHolder?.iccid } == [card, nil])
  }

  @Test("many texts stay with the previous card in parts, and nobody sees a part (issue 45, B4)")
  func swapOfMany() throws {
    try world.sandbox.atomically { for _ in 1...1_200 { try send("1111") } }
    try world.sandbox.atomically { try apply("simSwap") }

    let left = { try world.count("SELECT count(*) FROM messages WHERE holder IS NOT NULL") }
    #expect(try left() == 500 && world.sandbox.isBusy)
    try world.sandboxes.catchUp()
    #expect(try left() == 1_200 && !world.sandbox.isBusy)
    try send("2222")
    #expect(try codes(.present) == ["2222"])
  }

  @Test("messages that are left already are looked at in parts too (issue 45, B4)")
  func recyclingAfterSwap() throws {
    try world.sandbox.atomically {
      try send("1111", over: .whatsapp)
      for _ in 1...1_200 { try send("2222") }
      try apply("simSwap")
    }
    try world.sandboxes.catchUp()
    let person = try world.sandbox.subscribers[number].holder
    let presents = { try world.count("SELECT count(*) FROM messages WHERE holder IS NULL") }

    try world.sandbox.atomically { try apply("recycle") }
    #expect(try presents() == 1 && world.sandbox.isBusy)
    try world.sandboxes.catchUp()

    #expect(try presents() == 0 && !world.sandbox.isBusy)
    #expect(try world.sandbox.messages.submitted(.init(), limit: 2_000).first?.formerHolder == person)
  }

  @Test("after a recycling, all earlier messages stay with the previous person")
  func recycling() throws {
    for channel in [Channel.sms, .call, .rcs, .whatsapp] { try send("1111", over: channel) }
    try apply("recycle")
    try send("2222")

    #expect(try codes(.present) == ["2222"])
    #expect(
      try world.sandbox.messages.submitted(.init()).map { $0.formerHolder?.subscriber } == [1, 1, 1, 1, nil])
    #expect(try world.sandbox.subscribers[number].holder.subscriber == 2)
  }

  @Test("an app's messages follow the person, not the card")
  func apps() throws {
    for channel in [Channel.sms, .call, .rcs, .whatsapp, .telegram] { try send("1111", over: channel) }
    try apply("simSwap")

    var filter = Messages.Filter()
    filter.destination = number.description
    #expect(try world.sandbox.messages.inbox(filter).map(\.channel) == [.whatsapp, .telegram])
  }

  @Test("a text that is on its way at the swap comes to the new card")
  func onItsWay() throws {
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"slow"}"#))])
    try send("1111")
    try apply("simSwap")
    try world.sandbox.advance(by: .seconds(20))

    #expect(try codes(.present) == ["1111"])
  }

  @Test("a late text stays with the card that it came to")
  func late() throws {
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"slow"}"#))])
    try send("1111")
    try world.sandbox.advance(by: .seconds(20))
    try apply("simSwap")

    #expect(try codes(.present) == [])
    #expect(try codes(.previous) == ["1111"])
  }

  @Test("each of several holders keeps their own messages")
  func several() throws {
    var cards: [String?] = []
    for code in ["1111", "2222", "3333"] {
      cards.append(try world.sandbox.subscribers[number].iccid)
      try send(code)
      try apply(code == "2222" ? "recycle" : "simSwap")
    }

    let holders = try world.sandbox.messages.submitted(.init()).map(\.formerHolder)
    #expect(holders.map { $0?.iccid } == cards)
    #expect(holders.map { $0?.subscriber } == [1, 1, 2])
    #expect(Set(cards).count == 3)
  }

  @Test("porting changes the network, not the person: the messages stay on the handset")
  func port() throws {
    try send("1111")
    try apply("port")

    #expect(try codes(.present) == ["1111"])
  }

  @Test("messages of other numbers stay where they are")
  func others() throws {
    try send("1111", to: "+12025550101")
    try apply("simSwap")

    #expect(try world.sandbox.texts("+12025550101") == ["Your code is 1111"])
  }

  @Test("why the new holder has no code is named")
  func reason() throws {
    try send("1111")
    try apply("simSwap")

    var filter = Messages.Filter()
    filter.destination = number.description
    #expect(
      try world.sandbox.messages.problemOfNewest(filter)?.text
        == "the text stayed with the previous holder of the number")
  }

  private func send(_ code: String, to destination: String? = nil, over channel: Channel = .sms) throws {
    try world.sandbox.messages.submit(
      .text(code, to: destination ?? number.description, over: channel), to: nil)
  }

  private func apply(_ event: String) throws {
    _ = try world.sandbox.subscribers.apply(SubscriberChange(Fields(#"{"event":"\#(event)"}"#)), to: number)
  }

  private func codes(_ holder: HolderChoice) throws -> [String?] {
    var filter = Messages.Filter()
    (filter.destination, filter.holder) = (number.description, holder)
    return try world.sandbox.messages.inbox(filter).map(\.code)
  }
}
