import Domain
import HTTP
import JSON
import Support
import Testing
import Twilio

private let messages = "/2010-04-01/Accounts/\(TwilioWorld.account)/Messages"
private let sender = "+15005550006"

@Suite("Twilio · messages", .contract("twilio-verify.md 16.2"))
struct MessagesTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private func create(
    to number: String = TwilioWorld.number, from: String = sender, body: String = "Hello",
    _ more: [(String, String)] = []
  ) throws -> Exchange {
    try post([("To", number), ("From", from), ("Body", body)] + more)
  }

  private func post(_ form: [(String, String)], at path: String = "\(messages).json") throws -> Exchange {
    let body = form.map { "\(PercentCoding.encode($0.0))=\(PercentCoding.encode($0.1))" }
    return try twilio.send(
      .to(path, .post, headers: TwilioWorld.credentials, body: Array(body.joined(separator: "&").utf8)))
  }

  private func created(_ more: [(String, String)] = []) throws -> Item { try Item(create(more)) }

  private func fetch(_ sid: String) throws -> Item { try Item(twilio.get("\(messages)/\(sid).json")) }

  // MARK: Delivery

  @Test("a message is queued, then sent, then delivered, and the handset shows it")
  func delivery() throws {
    let exchange = try create()
    let message = try Item(exchange)
    exchange.matches(golden: "queued")

    #expect(message["status"] == "queued" && message["date_sent"] == nil)
    #expect(message["num_media"] == "0" && message["num_segments"] == "1")
    #expect(message["uri"] == "\(messages)/\(message.sid).json")
    #expect(try twilio.inbox().map(\.text) == ["Hello"])
    #expect(try twilio.inbox().map(\.sender) == [sender])

    try twilio.advance(1)
    let later = try twilio.get("\(messages)/\(message.sid).json")
    later.matches(golden: "delivered")
    #expect(try Item(later)["status"] == "delivered")
    #expect(try Item(later)["date_sent"]?.hasSuffix(" +0000") == true)
  }

  @Test(
    "a failed delivery has the vendor's error",
    arguments: [
      ("undeliverable", "undelivered", 30005), ("filtered", "undelivered", 30007),
      ("reject", "undelivered", 30004), ("absent", "undelivered", 30003),
      ("memoryFull", "undelivered", 30003),
    ])
  func failure(outcome: String, status: String, code: Int) throws {
    try twilio.seed(#"{"scenarios":[{"outcome":"\#(outcome)"}]}"#)
    let message = try created()
    try twilio.advance(400)

    let failed = try fetch(message.sid)

    #expect(failed["status"] == status)
    #expect(failed.json["error_code"] == .integer(Int64(code)))
    #expect(failed["error_message"]?.isEmpty == false)
  }

  @Test("long texts and other alphabets have more segments")
  func segments() throws {
    #expect(try Item(create(body: String(repeating: "a", count: 161)))["num_segments"] == "2")
    #expect(try Item(create(body: String(repeating: "ж", count: 71)))["num_segments"] == "2")
  }

  @Test("a Messaging Service accepts the message first; its SID may be in From")
  func messagingService() throws {
    let service = "MG" + String(repeating: "1", count: 32)
    let form = [("To", TwilioWorld.number), ("Body", "Hello")]

    let one = try Item(post(form + [("MessagingServiceSid", service)]))
    let two = try Item(post(form + [("From", service)]))

    for message in [one, two] {
      #expect(message["status"] == "accepted" && message["from"] == nil)
      #expect(message["messaging_service_sid"] == service)
    }
  }

  @Test("a message on WhatsApp keeps the prefix of its channel")
  func whatsapp() throws {
    let message = try Item(create(to: "whatsapp:\(TwilioWorld.number)", from: "whatsapp:\(sender)"))

    #expect(message["to"] == "whatsapp:\(TwilioWorld.number)")
    #expect(try twilio.inbox().map(\.channel) == [.whatsapp])
    #expect(try code(create(to: "whatsapp:\(TwilioWorld.number)")) == 21910)
  }

  // MARK: Refusals

  @Test(
    "a missing or invalid parameter has its error",
    arguments: [
      ([("From", sender), ("Body", "a")], 21604), ([("To", TwilioWorld.number), ("Body", "a")], 21603),
      ([("To", TwilioWorld.number), ("From", sender)], 21602),
      ([("To", "+1"), ("From", sender), ("Body", "a")], 21211),
      ([("To", TwilioWorld.number), ("From", "a name too long"), ("Body", "a")], 21212),
      (
        [("To", TwilioWorld.number), ("From", sender), ("Body", "a"), ("StatusCallback", "localhost")],
        21609
      ),
      ([("To", TwilioWorld.number), ("From", sender), ("MediaUrl", "x")], 21620),
      ([("To", TwilioWorld.number), ("MessagingServiceSid", "MG1"), ("Body", "a")], 21705),
      (
        [("To", TwilioWorld.number), ("From", sender), ("Body", String(repeating: "a", count: 1601))], 21617
      ),
      (
        [("To", TwilioWorld.number), ("From", sender), ("Body", "a"), ("ValidityPeriod", "0")], 60200
      ),
    ] as [([(String, String)], Int)])
  func invalid(form: [(String, String)], code: Int) throws {
    let exchange = try post(form)

    #expect(try self.code(exchange) == code)
    #expect(exchange.answer.hasPrefix("400 "))
    if code == 21604 { exchange.matches(golden: "no-receiver") }
    #expect(try twilio.inbox().isEmpty)
  }

  @Test(
    "the vendor's test numbers fail as documented", .contract("twilio-verify.md 15"),
    arguments: [
      (TwilioWorld.number, "+15005550001", 21212), (TwilioWorld.number, "+15005550007", 21606),
      (TwilioWorld.number, "+15005550008", 21611), ("+15005550001", sender, 21211),
      ("+15005550002", sender, 21612), ("+15005550003", sender, 21408), ("+15005550004", sender, 21610),
      ("+15005550009", sender, 21614),
    ])
  func testNumbers(to: String, from: String, code: Int) throws {
    let exchange = try create(to: to, from: from)

    #expect(try self.code(exchange) == code)
    #expect(exchange.why?.hasSuffix("is a test number") == true)
    #expect(try Item(create(to: "+15005550006", from: "+15005550006"))["status"] == "queued")
  }

  @Test(
    "other senders, countries and receivers are refused by natural causes",
    arguments: [
      (#"{"twilio":{"settings":{"senders":["+12025550199"]}}}"#, 21606),
      (#"{"twilio":{"settings":{"restrictions":{"accountType":"trial"}}}}"#, 21608),
      (#"{"twilio":{"settings":{"messagingCountries":["FR"]}}}"#, 21408),
      (#"{"subscribers":[{"number":"+12025550100","optOut":["+15005550006"]}]}"#, 21610),
      (#"{"subscribers":[{"number":"+12025550100","lineType":"landline"}]}"#, 21614),
      (#"{"scenarios":[{"outcome":"submitFail:queueFull"}]}"#, 21611),
      (#"{"scenarios":[{"outcome":"submitFail:refused"}]}"#, 21612),
      (#"{"scenarios":[{"outcome":"submitFail:invalidDestination"}]}"#, 21211),
      (#"{"scenarios":[{"outcome":"submitFail:throttled"}]}"#, 20429),
    ])
  func causes(seed: String, code: Int) throws {
    try twilio.seed(seed)

    let exchange = try create()

    #expect(try self.code(exchange) == code)
    #expect(exchange.answer.hasPrefix(code == 20429 ? "429 " : "400 "))
    #expect(exchange.why?.isEmpty == false)
    #expect(try twilio.inbox().isEmpty)
    #expect(try pageOfMessages().sids.isEmpty)
  }

  @Test("a verified number of a trial account, an own sender and an allowed country pass")
  func allowed() throws {
    try twilio.changeSettings(
      #""restrictions":{"accountType":"trial","verifiedNumbers":["+12025550100"]},"senders":["+15005550006"],"messagingCountries":["US"]"#
    )

    #expect(try created()["status"] == "queued")
  }

  @Test("texts name receiver and sender")
  func texts() throws {
    let refused = try create(to: "+15005550002").decode(ErrorAnswer.self)

    #expect(
      refused.message
        == "The 'To' phone number: +15005550002, is not currently reachable using the 'From' phone number: "
        + "+15005550006 via SMS")
  }

  @Test(
    "test credentials send from the test number only, and nothing arrives", .contract("twilio-verify.md 15"))
  func testCredentials() throws {
    let test = "AC" + String(repeating: "7", count: 32)
    try twilio.seed(
      #"{"twilio":{"account":{"accountSid":"AC00000000000000000000000000000001","authToken":"********","testAccountSid":"\#(test)","testAuthToken":"secret"}}}"#
    )
    let path = "/2010-04-01/Accounts/\(test)/Messages.json"
    func create(from: String) throws -> Exchange {
      try twilio.post(
        path, pairs: [("To", TwilioWorld.number), ("From", from), ("Body", "a")],
        as: Request.basic(test, "secret"))
    }

    #expect(try Item(create(from: sender))["status"] == "queued")
    #expect(try code(create(from: "+12025550199")) == 21606)
    #expect(try code(create(from: "+15005550008")) == 21611)
    #expect(try twilio.inbox().isEmpty)
  }

  // MARK: One message

  @Test("an empty Body redacts the stored text; other texts are refused")
  func redaction() throws {
    let message = try created()

    let exchange = try post([("Body", "")], at: "\(messages)/\(message.sid).json")
    let refused = try post([("Body", "other")], at: "\(messages)/\(message.sid).json")

    exchange.matches(golden: "redacted")
    refused.matches(golden: "other-text")
    #expect(try Item(exchange)["body"] == "")
    #expect(try code(refused) == 60200)
    #expect(try fetch(message.sid)["body"] == "")
  }

  @Test("a scheduled message waits; canceled, it is never sent")
  func schedule() throws {
    let service = "MG" + String(repeating: "1", count: 32)
    let form = [("To", TwilioWorld.number), ("MessagingServiceSid", service), ("Body", "Later")]
    func schedule(_ time: String?) throws -> Exchange {
      try post(form + [("ScheduleType", "fixed")] + (time.map { [("SendAt", $0)] } ?? []))
    }
    let soon = twilio.sandbox.clock.now + .seconds(899)
    #expect(try code(schedule(nil)) == 35111)
    #expect(try code(schedule(soon.iso8601)) == 35114)
    #expect(try code(create([("ScheduleType", "fixed")])) == 35118)

    let time = (twilio.sandbox.clock.now + .seconds(1000)).iso8601
    let (one, two) = (try Item(schedule(time)), try Item(schedule(time)))
    #expect(one["status"] == "scheduled" && one["date_sent"] == nil)
    let canceled = try Item(post([("Status", "canceled")], at: "\(messages)/\(one.sid).json"))
    #expect(canceled["status"] == "canceled")

    try twilio.advance(1001)
    #expect(try fetch(one.sid)["status"] == "canceled")
    #expect(try fetch(two.sid)["status"] == "delivered")
    #expect(try twilio.inbox().map(\.text) == ["Later"])
    let late = try post([("Status", "canceled")], at: "\(messages)/\(two.sid).json")
    #expect(try code(late) == 30409)
  }

  @Test("a deleted message is gone; one of another account was never there")
  func deletion() throws {
    let message = try created()
    let path = "\(messages)/\(message.sid).json"
    let other = "AC" + String(repeating: "2", count: 32)

    let foreign = try twilio.get(path.replacing(TwilioWorld.account, with: other))
    let gone = try twilio.delete(path)
    gone.matches(golden: "deleted")
    let again = try twilio.delete(path)
    again.matches(golden: "unknown")
    let fetched = try twilio.get(path)
    fetched.matches(golden: "unknown")

    #expect(gone.answer == "204 ")
    #expect(try [foreign, again, fetched].map(code) == [20404, 20404, 20404])
    #expect(fetched.answer == notFound(path))
  }

  @Test("media have SIDs and types, and can be deleted")
  func media() throws {
    let urls = [("MediaUrl", "https://a.test/1.png"), ("MediaUrl", "https://a.test/2.jpg?x=1")]
    let message = try created(urls)
    #expect(message.sid.hasPrefix("MM") && message["num_media"] == "2")
    let path = "\(messages)/\(message.sid)/Media"

    let list = try twilio.get("\(path).json")
    list.matches(golden: "two")
    let items = try Item(list).json["media_list"]?.items ?? []
    #expect(items.compactMap { $0["content_type"]?.text } == ["image/png", "image/jpeg"])
    let sid = try #require(items.first?["sid"]?.text)
    let fetched = try twilio.get("\(path)/\(sid).json")
    fetched.matches(golden: "found")
    let deleted = try twilio.delete("\(path)/\(sid).json")
    deleted.matches(golden: "deleted")
    let gone = try twilio.get("\(path)/\(sid).json")
    gone.matches(golden: "unknown")
    try twilio.delete("\(path)/\(sid).json").matches(golden: "unknown")
    try twilio.get("\(messages)/SM1/Media.json").matches(golden: "unknown-message")

    #expect(try code(gone) == 20404)
    #expect(try fetch(message.sid)["num_media"] == "1")
  }

  @Test("feedback is confirmed or unconfirmed")
  func feedback() throws {
    let message = try created()
    let path = "\(messages)/\(message.sid)/Feedback.json"

    let exchange = try post([("Outcome", "unconfirmed")], at: path)
    let refused = try post([("Outcome", "maybe")], at: path)

    exchange.matches(golden: "unconfirmed")
    refused.matches(golden: "unknown-outcome")
    #expect(try Item(exchange)["outcome"] == "unconfirmed")
    #expect(try code(refused) == 60200)
  }

  // MARK: Lists

  @Test("pages have relative URIs; the newest message is first")
  func pages() throws {
    let sids = try (0..<5).map { _ in try created().sid }
    let exchange = try twilio.get("\(messages).json?PageSize=2")
    exchange.matches(golden: "first-page")
    try twilio.get("\(messages).json?PageSize=x").matches(golden: "bad-size")

    var (found, uri) = ([String](), Optional("\(messages).json?PageSize=2"))
    while let next = uri {
      let page = try Item(twilio.get(next))
      found += page.sids
      uri = page["next_page_uri"]
      #expect(uri?.hasPrefix("/2010-04-01/") ?? true)
    }

    #expect(found == sids.reversed())
  }

  @Test("a list is filtered by receiver, sender and day")
  func filters() throws {
    let (one, two) = (try created(), try Item(create(to: "+12025550101", from: "Acme")))
    try twilio.advance(86_400)
    let three = try created()
    try twilio.advance(1)
    let day = String(twilio.sandbox.clock.now.iso8601.prefix(10))

    #expect(try pageOfMessages("To=%2B12025550101").sids == [two.sid])
    #expect(try pageOfMessages("From=Acme").sids == [two.sid])
    #expect(try pageOfMessages("From=Acme&To=%2B12025550100").sids == [])
    #expect(try pageOfMessages("DateSent=\(day)").sids == [three.sid])
    #expect(try pageOfMessages("DateSent%3E=\(day)").sids == [three.sid])
    #expect(try pageOfMessages("DateSent<=\(day)").sids == [three.sid, two.sid, one.sid])
    #expect(try pageOfMessages("DateSent%3C=2001-01-01T00:00:00Z").sids == [])
    #expect(try code(twilio.get("\(messages).json?DateSent=yesterday")) == 60200)
  }

  private func pageOfMessages(_ query: String = "") throws -> Item {
    try Item(twilio.get("\(messages).json?\(query)"))
  }

  // MARK: Events

  @Test("callbacks are signed forms, one for each status", .contract("twilio-verify.md 14.3"))
  func callbacks() throws {
    let message = try created([("StatusCallback", "http://127.0.0.1:9/hook?a=1")])
    try twilio.advance(1)

    let ready = try twilio.sandbox.webhooks.ready(limit: 10)
    let requests = try ready.map { try #require(try twilioRequest(for: $0)) }
    let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }

    #expect(bodies.map { $0.contains("MessageStatus=sent") } == [true, false])
    #expect(bodies.map { $0.contains("MessageStatus=delivered") } == [false, true])
    #expect(bodies.allSatisfy { $0.hasPrefix("MessageSid=\(message.sid)&SmsSid=\(message.sid)&") })
    #expect(requests.allSatisfy { $0.fields.contains { $0.name == "X-Twilio-Signature" } })
  }

  @Test("a message that the carrier held is reported as delivered when it arrives, not as lost")
  func released() throws {
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","reach":{"sms":false}}]}"#)
    let message = try created([("StatusCallback", "http://127.0.0.1:9/hook")])
    try twilio.advance(10)
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","reach":{"sms":true}}]}"#)
    try twilio.sandbox.atomically {
      try twilio.sandbox.messages.release(
        to: try #require(PhoneNumber("+12025550100")), over: [.sms])
    }

    #expect(try fetch(message.sid)["status"] == "delivered")
    let kinds = try twilio.sandbox.webhooks.ready(limit: 10).map(\.draft.detail)
    #expect(kinds.count == 2 && kinds[1].contains("delivered"))
    try twilio.advance(1000)
    #expect(try twilio.sandbox.webhooks.ready(limit: 10).count == 2)
  }

  @Test("a person's reply is an inbound message; STOP refuses the next one")
  func reply() throws {
    _ = try created()
    let number = try #require(PhoneNumber(TwilioWorld.number))
    try twilio.sandbox.atomically {
      _ = try twilio.sandbox.messages.reply("STOP", from: number, to: nil)
    }

    let newest = try #require(try pageOfMessages().json["messages"]?.items.first)
    #expect(newest["direction"]?.text == "inbound" && newest["status"]?.text == "received")
    #expect(newest["from"]?.text == TwilioWorld.number && newest["to"]?.text == sender)
    #expect(newest["body"]?.text == "STOP")
    #expect(try code(create()) == 21610)
  }

  @Test("the account of the credentials, and no other", .contract("twilio-verify.md 16.3"))
  func account() throws {
    let path = "/2010-04-01/Accounts/\(TwilioWorld.account).json"
    let other = "/2010-04-01/Accounts/AC\(String(repeating: "2", count: 32)).json"

    let exchange = try twilio.get(path)
    let unknown = try twilio.get(other)

    exchange.matches(golden: "own")
    unknown.matches(golden: "another")
    #expect(try Item(exchange)["auth_token"] == TwilioWorld.token)
    #expect(try Item(exchange)["type"] == "Full" && Item(exchange)["status"] == "active")
    #expect(unknown.answer == notFound(other))
  }

  private func code(_ exchange: Exchange) throws -> Int { try exchange.decode(ErrorAnswer.self).code }

  private func twilioRequest(for webhook: Webhook) throws -> WebhookRequest? {
    try TwilioProvider.request(for: webhook, in: twilio.sandbox)
  }
}

/// A resource or a page.
private struct Item {
  let json: JSON

  init(_ exchange: Exchange) throws {
    json = try JSON(parsing: Array(exchange.answer.drop { $0 != "{" }.utf8))
    try #require(exchange.answer.hasPrefix("20"), "\(exchange.answer)")
  }

  /// Nil for `null` too.
  subscript(name: String) -> String? { json[name]?.text }

  var sid: String { self["sid"] ?? "" }
  var sids: [String] { (json["messages"]?.items ?? []).compactMap { $0["sid"]?.text } }
}
