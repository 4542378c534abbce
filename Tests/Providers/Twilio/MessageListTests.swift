import Domain
import HTTP
import JSON
import Support
import Testing
import Twilio

private let messages = TwilioWorld.messages
private let sender = TwilioWorld.sender

@Suite("Twilio · lists of messages, callbacks and replies", .contract("twilio-verify.md 16.2"))
struct MessageListTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private func codeOf(_ exchange: Exchange) throws -> Int { try exchange.errorCode }

  // MARK: Lists

  @Test("pages have relative URIs; the newest message is first")
  func pages() throws {
    let sids = try (0..<5).map { _ in try twilio.sentMessage().sid }
    let exchange = try twilio.get("\(messages).json?PageSize=2")
    exchange.matches(golden: "first-page")
    try twilio.get("\(messages).json?PageSize=x").matches(golden: "bad-size")

    var (found, uri) = ([String](), Optional("\(messages).json?PageSize=2"))
    while let next = uri {
      let page = try MessageItem(twilio.get(next))
      found += page.sids
      uri = page["next_page_uri"]
      #expect(uri?.hasPrefix("/2010-04-01/") ?? true)
    }

    #expect(found == sids.reversed())
  }

  @Test("a list is filtered by receiver, sender and day")
  func filters() throws {
    let (one, two) = (
      try twilio.sentMessage(), try MessageItem(twilio.sendMessage(to: "+12025550101", from: "Acme"))
    )
    try twilio.advance(86_400)
    let three = try twilio.sentMessage()
    try twilio.advance(1)
    let day = String(twilio.sandbox.clock.now.iso8601.prefix(10))

    #expect(try twilio.listMessages("To=%2B12025550101").sids == [two.sid])
    #expect(try twilio.listMessages("From=Acme").sids == [two.sid])
    #expect(try twilio.listMessages("From=Acme&To=%2B12025550100").sids == [])
    #expect(try twilio.listMessages("DateSent=\(day)").sids == [three.sid])
    #expect(try twilio.listMessages("DateSent%3E=\(day)").sids == [three.sid])
    #expect(try twilio.listMessages("DateSent<=\(day)").sids == [three.sid, two.sid, one.sid])
    #expect(try twilio.listMessages("DateSent%3C=2001-01-01T00:00:00Z").sids == [])
    #expect(try codeOf(twilio.get("\(messages).json?DateSent=yesterday")) == 60200)
  }

  // MARK: Events

  @Test("callbacks are signed forms, one for each status", .contract("twilio-verify.md 14.3"))
  func callbacks() throws {
    let message = try twilio.sentMessage([("StatusCallback", "http://127.0.0.1:9/hook?a=1")])

    let planned = try twilio.sandbox.webhooks.all(Webhooks.Filter())
    let requests = try planned.map { try #require(try twilioRequest(for: $0)) }
    let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }

    #expect(bodies.map { $0.contains("MessageStatus=sent") } == [true, false])
    #expect(bodies.map { $0.contains("MessageStatus=delivered") } == [false, true])
    #expect(bodies.allSatisfy { $0.hasPrefix("MessageSid=\(message.sid)&SmsSid=\(message.sid)&") })
    #expect(requests.allSatisfy { $0.fields.contains { $0.name == "X-Twilio-Signature" } })
  }

  @Test("a message that the carrier held is reported as delivered when it arrives, not as lost")
  func released() throws {
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","reach":{"sms":false}}]}"#)
    let message = try twilio.sentMessage([("StatusCallback", "http://127.0.0.1:9/hook")])
    try twilio.advance(10)
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","reach":{"sms":true}}]}"#)
    try twilio.sandbox.atomically {
      try twilio.sandbox.messages.release(
        to: try #require(PhoneNumber("+12025550100")), over: [.sms])
    }

    #expect(try twilio.fetchMessage(message.sid)["status"] == "delivered")
    let details = try twilio.sandbox.webhooks.all(Webhooks.Filter()).map(\.draft.detail)
    #expect(details.map { $0.contains("delivered") } == [false, true])
    #expect(!details.contains { $0.contains("undelivered") })
  }

  @Test("a person's reply is an inbound message; STOP refuses the next one")
  func reply() throws {
    _ = try twilio.sentMessage()
    let number = try #require(PhoneNumber(TwilioWorld.number))
    try twilio.sandbox.atomically {
      _ = try twilio.sandbox.messages.reply("STOP", from: number, to: nil)
    }

    let newest = try #require(try twilio.listMessages().json["messages"]?.items.first)
    #expect(newest["direction"]?.text == "inbound" && newest["status"]?.text == "received")
    #expect(newest["from"]?.text == TwilioWorld.number && newest["to"]?.text == sender)
    #expect(newest["body"]?.text == "STOP")
    #expect(try codeOf(twilio.sendMessage()) == 21610)
    let service = try twilio.postMessage([
      ("To", TwilioWorld.number), ("MessagingServiceSid", "MG" + String(repeating: "1", count: 32)),
      ("Body", "Hello"),
    ])
    #expect(service.answer == errorAnswer(400, 21610, "Attempt to send to unsubscribed recipient"))
    #expect(service.why == "\(TwilioWorld.number) has stopped texts from \(sender)")
  }

  @Test("anybody can write to a sender of the account, also before it has written")
  func firstText() throws {
    try twilio.seed(#"{"twilio":{"settings":{"senders":["+12025550199"]}}}"#)
    _ = try twilio.world.answer(
      .json(
        .post, "/control/inbox/\(TwilioWorld.number)/reply", #"{"text":"hello","to":"+12025550199"}"#))

    let newest = try #require(try twilio.listMessages().json["messages"]?.items.first)
    #expect(newest["direction"]?.text == "inbound" && newest["body"]?.text == "hello")
    #expect(newest["from"]?.text == TwilioWorld.number && newest["to"]?.text == "+12025550199")
  }

  @Test("the account of the credentials, and no other", .contract("twilio-verify.md 16.3"))
  func account() throws {
    let path = "/2010-04-01/Accounts/\(TwilioWorld.account).json"
    let other = "/2010-04-01/Accounts/AC\(String(repeating: "2", count: 32)).json"

    let exchange = try twilio.get(path)
    let unknown = try twilio.get(other)

    exchange.matches(golden: "own")
    unknown.matches(golden: "another")
    #expect(try MessageItem(exchange)["auth_token"] == TwilioWorld.token)
    #expect(try MessageItem(exchange)["type"] == "Full" && MessageItem(exchange)["status"] == "active")
    #expect(unknown.answer == notFound(other))
  }

  private func twilioRequest(for webhook: Webhook) throws -> WebhookRequest? {
    try TwilioProvider.request(for: webhook, in: twilio.sandbox)
  }
}
