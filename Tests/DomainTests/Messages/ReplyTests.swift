import Domain
import JSON
import Numbers
import Testing

@Suite("Domain · replies")
struct ReplyTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("a reply goes to the latest sender, and is in no inbox")
  func replying() throws {
    _ = try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)
    _ = try world.sandbox.messages.submit(.text("2222", from: "Other", provider: "other"), to: nil)

    let reply = try #require(try sent("thanks"))

    #expect([reply.sender, reply.destination, reply.text] == ["+12025550100", "Other", "thanks"])
    #expect([reply.provider, reply.reference] == ["other", "ref"])
    #expect(try world.sandbox.texts() == ["Your code is 1111", "Your code is 2222"])
    #expect(try world.sandbox.messages.submitted(.init()).last == reply)
  }

  @Test("a reply can name its receiver, even one that never sent a message")
  func naming() throws {
    _ = try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)

    #expect(try sent("hello", to: "Acme")?.provider == "acme")
    #expect(try sent("hello", to: "74454")?.provider == "")
  }

  @Test("without a message there is no sender to answer")
  func nobody() throws {
    guard case .noSender = try world.sandbox.messages.reply("hello", from: number, to: nil) else {
      Issue.record("somebody was answered")
      return
    }
  }

  @Test(
    "STOP words block the sender's texts, START words allow them again",
    arguments: [
      ("STOP", true), ("stop", true), (" Stop \n", true), ("UNSUBSCRIBE", true), ("quit", true),
      ("please stop", false), ("STOP it", false), ("", false),
    ])
  func stopping(text: String, stops: Bool) throws {
    _ = try sent(text, to: "Acme")

    #expect(try world.sandbox.subscribers[number].optOut == (stops ? ["Acme"] : []))
    _ = try sent(text, to: "Acme")
    #expect(try world.sandbox.subscribers[number].optOut == (stops ? ["Acme"] : []))
    _ = try sent("start", to: "Acme")
    #expect(try world.sandbox.subscribers[number].optOut == [])
  }

  @Test(
    "a line that cannot send texts sends no reply",
    arguments: [
      #"{"reach":{"sms":false}}"#, #"{"barring":["smsOut"]}"#, #"{"suspended":true}"#,
      #"{"deactivatedAt":"-1d"}"#, #"{"lineType":"landline"}"#,
    ])
  func silenced(document: String) throws {
    try merge(document)

    guard case .blocked = try world.sandbox.messages.reply("STOP", from: number, to: "Acme") else {
      Issue.record("a reply was sent")
      return
    }
    #expect(try world.sandbox.subscribers[number].optOut == [])
  }

  @Test("a reply uses the channel of the message that it answers, or the requested one")
  func channels() throws {
    _ = try world.sandbox.messages.submit(.text("1111", over: .whatsapp, from: "Acme"), to: nil)
    _ = try world.sandbox.messages.submit(.text("2222", over: .call, from: "Caller"), to: nil)

    #expect(try sent("hello", to: "Acme")?.channel == .whatsapp)
    #expect(try sent("hello", to: "Caller")?.channel == .sms)
    #expect(try sent("hello", to: "Other", over: .rcs)?.channel == .rcs)
    #expect(try sent("hello", to: "Acme", over: .sms)?.provider == "")
  }

  @Test("without texts, app channels still work; without data, texts still work")
  func reach() throws {
    try merge(#"{"reach":{"sms":false}}"#)
    #expect(try sent("hello", to: "Acme", over: .whatsapp) != nil)
    try merge(#"{"reach":{"sms":true,"data":false}}"#)
    #expect(try sent("hello", to: "Acme", over: .whatsapp) == nil)
    #expect(try sent("hello", to: "Acme", over: .sms) != nil)
  }

  @Test("a blocked sender can be unblocked")
  func readmitting() throws {
    _ = try sent("STOP", to: "Acme")
    _ = try sent("STOP", to: "Other")

    try world.sandbox.messages.resubscribe("Acme", to: number)

    #expect(try world.sandbox.subscribers[number].optOut == ["Other"])
  }

  private func merge(_ document: String) throws {
    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(Fields(document))
    try world.sandbox.subscribers.keep(subscriber)
  }

  private func sent(_ text: String, to sender: String? = nil, over channel: Channel? = nil) throws -> Message?
  {
    let outcome = try world.sandbox.messages.reply(text, from: number, to: sender, over: channel)
    if case .sent(let message) = outcome { return message }
    return nil
  }
}
