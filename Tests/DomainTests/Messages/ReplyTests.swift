import Domain
import JSON
import Testing

@Suite("Domain · replies")
struct ReplyTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("a reply goes to whoever wrote last, and stands in no inbox")
  func replying() throws {
    _ = try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)
    _ = try world.sandbox.messages.submit(.text("2222", from: "Other", provider: "other"), to: nil)

    let reply = try #require(try sent("thanks"))

    #expect([reply.sender, reply.destination, reply.text] == ["+12025550100", "Other", "thanks"])
    #expect([reply.provider, reply.reference] == ["other", "ref"])
    #expect(try world.sandbox.texts() == ["Your code is 1111", "Your code is 2222"])
    #expect(try world.sandbox.messages.submitted(.init()).last == reply)
  }

  @Test("a sender may be named, whether it has written or not")
  func naming() throws {
    _ = try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)

    #expect(try sent("hello", to: "Acme")?.provider == "acme")
    #expect(try sent("hello", to: "74454")?.provider == "")
  }

  @Test("without a message there is nobody to answer")
  func nobody() throws {
    guard case .nobody = try world.sandbox.messages.reply("hello", from: number, to: nil) else {
      Issue.record("somebody was answered")
      return
    }
  }

  @Test(
    "a word for stopping stops the sender's texts, a word for starting brings them back",
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
    "a line that sends nothing sends no reply",
    arguments: [
      #"{"reach":{"sms":false}}"#, #"{"barring":["smsOut"]}"#, #"{"suspended":true}"#,
      #"{"deactivatedAt":"-1d"}"#, #"{"lineType":"landline"}"#,
    ])
  func silenced(document: String) throws {
    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(Fields(document))
    try world.sandbox.subscribers.keep(subscriber)

    guard case .silenced = try world.sandbox.messages.reply("STOP", from: number, to: "Acme") else {
      Issue.record("a reply was sent")
      return
    }
    #expect(try world.sandbox.subscribers[number].optOut == [])
  }

  @Test("the sender's provider takes notice, with what the sender wrote last")
  func notice() throws {
    let world = try World(listeners: listeners)
    try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)
    let written = try world.sandbox.messages.submit(.text("2222", from: "Acme"), to: nil)
    try world.sandbox.messages.submit(.text("3333", from: "Other", provider: "other"), to: nil)

    let reply = try #require(try sent("STOP", to: "Acme", in: world))

    #expect(ear.heard == ["acme": [.reply(reply, answering: written)]])
    #expect(ear.optOut == ["Acme"])
  }

  @Test("of a text to a sender that has not written, every provider takes notice")
  func noticeOfAll() throws {
    let world = try World(listeners: listeners)

    let reply = try #require(try sent("hello", to: "74454", in: world))

    let notice = Notice.reply(reply, answering: nil)
    #expect(ear.heard == ["acme": [notice], "other": [notice]])
  }

  @Test("nobody takes notice of what was not sent")
  func noNotice() throws {
    let world = try World(listeners: listeners)

    #expect(try sent("hello", in: world) == nil)

    #expect(ear.heard.isEmpty)
  }

  @Test("what a provider cannot bear has not happened")
  func refusedNotice() throws {
    let world = try World(listeners: [Listener(name: "acme") { _, _ in throw Mishap() }])
    try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)
    let before = try world.rows

    #expect(throws: Mishap.self) { try world.sandbox.atomically { try sent("STOP", in: world) } }

    #expect(try world.rows == before)
    #expect(try world.sandbox.subscribers[number].optOut == [])
  }

  /// Two providers that hear; what they write down of the subscriber is how it was when they heard.
  private var listeners: [Listener] {
    ["acme", "other"].map { name in
      Listener(name: name) { [ear, number] notice, sandbox in
        ear.heard[name, default: []].append(notice)
        ear.optOut = try sandbox.subscribers[number].optOut
      }
    }
  }

  /// What providers took notice of, by their names; a class because listeners write to it.
  private final class Ear {
    var heard: [String: [Notice]] = [:]
    var optOut: [String] = []
  }

  private let ear = Ear()

  private func sent(
    _ text: String, to sender: String? = nil, in other: World? = nil
  ) throws -> Message? {
    let messages = (other ?? world).sandbox.messages
    guard case .sent(let message) = try messages.reply(text, from: number, to: sender) else {
      return nil
    }
    return message
  }
}
