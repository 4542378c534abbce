import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · events for providers")
struct DomainEventTests {
  private let world: World
  private let number: PhoneNumber
  private let ear = Ear()

  /// The events that providers got, by name. A class, because hooks write to it.
  private final class Ear {
    var heard: [String: [DomainEvent]] = [:]
    /// The blocked senders at the time of the last event.
    var optOut: [String] = []
  }

  init() throws {
    let number = try #require(PhoneNumber("+12025550100"))
    self.number = number
    world = try World(
      hooks: ["acme", "other"].map { [ear] name in
        ProviderHooks(name: name) { notice, sandbox in
          ear.heard[name, default: []].append(notice)
          ear.optOut = try sandbox.subscribers[number].optOut
        }
      })
  }

  private func reply(_ text: String, to sender: String? = nil, in world: World) throws -> Message? {
    guard case .sent(let message) = try world.sandbox.messages.reply(text, from: number, to: sender) else {
      return nil
    }
    return message
  }

  private func apply(_ event: String) throws {
    let change = try SubscriberChange(Fields(#"{"event":"\#(event)"}"#))
    _ = try world.sandbox.subscribers.apply(change, to: number)
  }

  @Test("a reply is reported to the sender's provider, with the message that it answers")
  func answered() throws {
    try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)
    let written = try world.sandbox.messages.submit(.text("2222", from: "Acme"), to: nil)
    try world.sandbox.messages.submit(.text("3333", from: "Other", provider: "other"), to: nil)

    let message = try #require(try reply("STOP", to: "Acme", in: world))

    #expect(ear.heard == ["acme": [.reply(message, answering: written)]])
    #expect(ear.optOut == ["Acme"])
  }

  @Test("the end of a webhook is reported to its provider, with the receiver's answer")
  func webhookEnded() throws {
    let draft = WebhookDraft(provider: "acme", url: "http://127.0.0.1:9/hook", kind: "created", subject: 1)
    let webhook = try world.sandbox.webhooks.enqueue(draft)
    func record(_ status: Int) throws {
      try world.sandbox.webhooks.record(
        .answered(status: status, body: "go"), of: webhook.ordinal, at: world.sandbox.clock.now,
        retries: RetrySchedule(pauses: [.zero]))
    }

    try record(500)
    #expect(ear.heard.isEmpty)
    try record(200)

    let ended = try #require(try world.sandbox.webhooks.find(webhook.ordinal))
    #expect(
      ear.heard == ["acme": [.webhookEnded(ended, WebhookAnswer(status: 200, body: Array("go".utf8)))]])
    #expect(ended.state == .delivered)
    #expect(try world.sandbox.webhooks.attempts(of: webhook.ordinal).last?.result.body == "go")
  }

  @Test("an answer is reported in full, and its beginning is kept")
  func longAnswer() throws {
    let draft = WebhookDraft(provider: "acme", url: "http://127.0.0.1:9/hook", kind: "created", subject: 1)
    let webhook = try world.sandbox.webhooks.enqueue(draft)
    let answer = WebhookAnswer(
      status: 404, fields: [.init("Content-Type", "text/xml"), .init("set-cookie", "a=1")],
      body: Array(repeating: 0x61, count: 5000))

    try world.sandbox.webhooks.record(
      .answered(answer), of: webhook.ordinal, at: world.sandbox.clock.now, retries: .never)

    guard case .webhookEnded(let ended, let heard)? = ear.heard["acme"]?.first else {
      Issue.record("not reported")
      return
    }
    #expect(ended.state == .failed && heard == answer)
    #expect(heard?.values("Set-Cookie") == ["a=1"] && heard?.values("content-type") == ["text/xml"])
    #expect(try world.sandbox.webhooks.attempts(of: webhook.ordinal).last?.result.body.utf8.count == 4096)
  }

  @Test("a webhook can be a GET request")
  func get() throws {
    let draft = WebhookDraft(provider: "acme", url: "http://127.0.0.1:9/hook?a=1", kind: "asked", subject: 1)
    let webhook = try world.sandbox.webhooks.enqueue(draft)
    let request = WebhookRequest(.get, fields: [.init("X-A", ":method: b")], body: [])

    try world.sandbox.webhooks.keep(request, of: webhook)

    #expect(try world.sandbox.webhooks.find(webhook.ordinal)?.request == request)
  }

  @Test("a text to an unknown sender is reported to all providers")
  func unanswered() throws {
    let message = try #require(try reply("hello", to: "74454", in: world))

    let notice = DomainEvent.reply(message, answering: nil)
    #expect(ear.heard == ["acme": [notice], "other": [notice]])
  }

  @Test("a reply that is not sent is not reported")
  func unsent() throws {
    #expect(try reply("hello", in: world) == nil)

    #expect(ear.heard.isEmpty)
  }

  @Test("changes are undone if the provider's handler throws")
  func unbearable() throws {
    let world = try World(hooks: [ProviderHooks(name: "acme") { _, _ in throw TestError() }])
    try world.sandbox.messages.submit(.text("1111", from: "Acme"), to: nil)
    let before = try world.rows

    #expect(throws: TestError.self) { try world.sandbox.atomically { try reply("STOP", in: world) } }

    #expect(try world.rows == before)
    #expect(try world.sandbox.subscribers[number].optOut == [])
  }

  @Test("a released message is reported to its provider, in its new state")
  func released() throws {
    try apply("detach")
    let subscriber = try world.sandbox.subscribers[number]
    let held = try world.sandbox.messages.submit(.text("1111"), to: subscriber)
    try world.sandbox.messages.submit(.text("2222", to: "+12025550199", provider: "other"), to: nil)
    try world.sandbox.advance(by: .seconds(60))

    try apply("attach")

    let released = try #require(try world.sandbox.messages.find(held.ordinal))
    #expect(released.state(at: world.sandbox.clock.now) == .delivered)
    #expect(ear.heard["acme"]?.last == .released(released))
    #expect(ear.heard["other"]?.contains { if case .released = $0 { true } else { false } } == false)
  }

  @Test(
    "a deactivated or recycled number is reported to all providers", arguments: ["deactivate", "recycle"])
  func abandoned(event: String) throws {
    let before = try world.sandbox.subscribers[number]

    try apply(event)

    let change = DomainEvent.lineChanged(from: before, to: try world.sandbox.subscribers[number])
    let heard = [change, .abandoned(number)]
    #expect(ear.heard == ["acme": heard, "other": heard])
  }

  @Test("a changed line is reported to all providers, as it was and as it is")
  func lineChanged() throws {
    let before = try world.sandbox.subscribers[number]
    try apply("simSwap")
    let after = try world.sandbox.subscribers[number]
    try world.sandbox.subscribers.keep(after, insteadOf: after)

    let change = DomainEvent.lineChanged(from: before, to: after)
    #expect(after.simSwaps.count == 1)
    #expect(ear.heard == ["acme": [change], "other": [change]])
  }
}
