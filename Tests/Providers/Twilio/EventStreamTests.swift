import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Twilio

@Suite("Twilio · event streams", .contract("twilio-verify.md 14.4, 20"))
struct EventStreamTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private func subscribe() throws {
    try twilio.configure(#""eventSink":"http://127.0.0.1:9/events""#)
    try twilio.set(["VerifyEventSubscriptionEnabled": "true"])
  }

  /// The clock stops for webhooks that are due, so they are sent in between.
  private func advance(_ seconds: Int) throws {
    twilio.world.sendWebhooks()
    try twilio.advance(seconds)
    twilio.world.sendWebhooks()
  }

  /// The events so far without the provider's prefix, with those that are planned.
  private func events() throws -> [(type: String, event: Fields)] {
    try twilio.sandbox.webhooks.all(.init()).map { webhook in
      let request = try #require(try TwilioProvider.request(for: webhook, in: twilio.sandbox))
      guard case .array(let items) = try JSON(parsing: request.body) else {
        throw FieldError(path: "$", expected: "an array", found: "no array")
      }
      #expect(items.count == 1)
      let event = try Fields(items[0], path: "$")
      let type = try event.string("type")
      #expect(webhook.draft.kind == type)
      return (type.replacing("com.twilio.accountsecurity.verify.", with: ""), event)
    }
  }

  @Test("without a sink, or for a Service that is not subscribed, nothing is sent")
  func silent() throws {
    _ = try twilio.started()
    try twilio.configure(#""eventSink":"http://127.0.0.1:9/events""#)
    _ = try twilio.started(to: "+12025550101")
    _ = try twilio.check(try twilio.code())
    try twilio.advance(700)

    #expect(try twilio.sandbox.webhooks.all(.init()).isEmpty)
  }

  @Test("a verification reports its start, its message and its approval")
  func approved() throws {
    try subscribe()
    let verification = try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "CustomFriendlyName": "Blue Bank"]
    ).decode(VerificationAnswer.self)
    _ = try twilio.check("0000")
    _ = try twilio.check(try twilio.code())

    let events = try events()

    #expect(
      events.map(\.type) == [
        "message.sent", "message.delivered", "verification.pending", "verification.approved",
      ])
    let data = try events[3].event.object("data")
    #expect(try data.string("verification_sid") == verification.sid)
    #expect(try data.string("verification_status") == "APPROVED")
    #expect(try data.string("custom_friendly_name") == "Blue Bank")
    #expect(try data.string("verified_at") == "2026-01-05T10:20:30.000000Z")
    #expect(try data.string("country") == "US")
    #expect(try data.object("check_attempts").int("count") == 2)
    #expect(try data.object("send_code_attempts").int("count") == 1)
    let message = try events[1].event.object("data")
    #expect(try message.string("message_status") == "DELIVERED")
    #expect(try message.string("attempt_sid") == verification.attempts[0].sid)
    #expect(try message.int("number_segments") == 1)
  }

  @Test("cancel, expiry and too many checks are reported, and so are messages that do not arrive")
  func others() throws {
    try subscribe()
    _ = try twilio.started(to: "+12025550130")
    _ = try twilio.update("+12025550130", to: "canceled")
    _ = try twilio.started(to: "+12025550101")
    for _ in 1...6 { _ = try twilio.check("0000", for: "+12025550101") }
    _ = try twilio.started(to: "+12025550102", over: "call")
    try advance(601)

    let types = try events().map(\.type)

    #expect(types.contains("message.undelivered"))
    #expect(
      types.filter { $0.hasPrefix("verification") } == [
        "verification.pending", "verification.canceled", "verification.pending",
        "verification.max_attempts_reached", "verification.pending", "verification.expired",
      ])
  }

  @Test("a message that the carrier holds is reported when it arrives")
  func held() throws {
    let number = "+12025550110"
    try subscribe()
    func apply(_ event: String) throws {
      let change = try SubscriberChange(Fields(Array(#"{"event":"\#(event)"}"#.utf8)))
      let line = try #require(PhoneNumber(number))
      try twilio.sandbox.atomically { _ = try twilio.sandbox.subscribers.apply(change, to: line) }
    }
    try apply("detach")
    _ = try twilio.started(to: number)
    #expect(try !events().map(\.type).contains("message.delivered"))

    try advance(60)
    try apply("attach")

    let events = try events().filter { $0.type == "message.delivered" }
    #expect(try events.map { try $0.event.string("time") } == ["2026-01-05T10:21:30.000Z"])
  }
}
