import Domain
import HTTP
import JSON
import Support
import Testing
import Twilio

private let messages = TwilioWorld.messages
private let sender = TwilioWorld.sender

@Suite("Twilio · messages", .contract("twilio-verify.md 16.2"))
struct MessagesTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private func post(_ form: [(String, String)], at path: String = "\(messages).json") throws -> Exchange {
    try twilio.post(path, pairs: form)
  }

  private func codeOf(_ exchange: Exchange) throws -> Int { try exchange.errorCode }

  // MARK: Delivery

  @Test("a message is queued, then sent, then delivered, and the handset shows it")
  func delivery() throws {
    let exchange = try twilio.sendMessage()
    let message = try MessageItem(exchange)
    exchange.matches(golden: "queued")

    #expect(message["status"] == "queued" && message["date_sent"] == nil)
    #expect(message["num_media"] == "0" && message["num_segments"] == "1")
    #expect(message["uri"] == "\(messages)/\(message.sid).json")
    #expect(try twilio.inbox().map(\.text) == ["Hello"])
    #expect(try twilio.inbox().map(\.sender) == [sender])

    try twilio.advance(1)
    let later = try twilio.get("\(messages)/\(message.sid).json")
    later.matches(golden: "delivered")
    #expect(try MessageItem(later)["status"] == "delivered")
    #expect(try MessageItem(later)["date_sent"]?.hasSuffix(" +0000") == true)
  }

  @Test(
    "a failed delivery has the provider's error",
    arguments: [
      ("undeliverable", "undelivered", 30005), ("filtered", "undelivered", 30007),
      ("reject", "undelivered", 30004), ("absent", "undelivered", 30003),
      ("memoryFull", "undelivered", 30003),
    ])
  func failure(outcome: String, status: String, code: Int) throws {
    try twilio.seed(#"{"scenarios":[{"outcome":"\#(outcome)"}]}"#)
    let message = try twilio.sentMessage()
    try twilio.advance(400)

    let failed = try twilio.fetchMessage(message.sid)

    #expect(failed["status"] == status)
    #expect(failed.json["error_code"] == .integer(Int64(code)))
    #expect(failed["error_message"]?.isEmpty == false)
  }

  @Test("long texts and other alphabets have more segments")
  func segments() throws {
    #expect(
      try MessageItem(twilio.sendMessage(body: String(repeating: "a", count: 161)))["num_segments"] == "2")
    #expect(
      try MessageItem(twilio.sendMessage(body: String(repeating: "ж", count: 71)))["num_segments"] == "2")
  }

  @Test("a Messaging Service accepts the message first; its SID may be in From")
  func messagingService() throws {
    let service = "MG" + String(repeating: "1", count: 32)
    let form = [("To", TwilioWorld.number), ("Body", "Hello")]

    let one = try MessageItem(post(form + [("MessagingServiceSid", service)]))
    let two = try MessageItem(post(form + [("From", service)]))

    for message in [one, two] {
      #expect(message["status"] == "accepted" && message["from"] == nil)
      #expect(message["messaging_service_sid"] == service)
    }
  }

  @Test("a message on WhatsApp keeps the prefix of its channel")
  func whatsapp() throws {
    let message = try MessageItem(
      twilio.sendMessage(to: "whatsapp:\(TwilioWorld.number)", from: "whatsapp:\(sender)"))

    #expect(message["to"] == "whatsapp:\(TwilioWorld.number)")
    #expect(try twilio.inbox().map(\.channel) == [.whatsapp])
    #expect(try codeOf(twilio.sendMessage(to: "whatsapp:\(TwilioWorld.number)")) == 21910)
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

    #expect(try codeOf(exchange) == code)
    #expect(exchange.answer.hasPrefix("400 "))
    if code == 21604 { exchange.matches(golden: "no-receiver") }
    #expect(try twilio.inbox().isEmpty)
  }

  @Test(
    "the provider's test numbers fail as documented", .contract("twilio-verify.md 15"),
    arguments: [
      (TwilioWorld.number, "+15005550001", 21212), (TwilioWorld.number, "+15005550007", 21606),
      (TwilioWorld.number, "+15005550008", 21611), ("+15005550001", sender, 21211),
      ("+15005550002", sender, 21612), ("+15005550003", sender, 21408), ("+15005550004", sender, 21610),
      ("+15005550009", sender, 21614),
    ])
  func testNumbers(to: String, from: String, code: Int) throws {
    let exchange = try twilio.sendMessage(to: to, from: from)

    #expect(try codeOf(exchange) == code)
    #expect(exchange.why?.hasSuffix("is a test number") == true)
    #expect(
      try MessageItem(twilio.sendMessage(to: "+15005550006", from: "+15005550006"))["status"] == "queued")
  }

  @Test(
    "other senders, countries and receivers are refused by natural causes",
    arguments: [
      (#"{"twilio":{"settings":{"senders":["+12025550199"]}}}"#, 21606),
      (#"{"twilio":{"settings":{"accountType":"trial"}}}"#, 21608),
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

    let exchange = try twilio.sendMessage()

    #expect(try codeOf(exchange) == code)
    #expect(exchange.answer.hasPrefix(code == 20429 ? "429 " : "400 "))
    #expect(exchange.why?.isEmpty == false)
    #expect(try twilio.inbox().isEmpty)
    #expect(try twilio.listMessages().sids.isEmpty)
  }

  @Test("a verified number of a trial account, an own sender and an allowed country pass")
  func allowed() throws {
    try twilio.configure(
      #""accountType":"trial","verifiedNumbers":["+12025550100"],"senders":["+15005550006"],"messagingCountries":["US"]"#
    )

    #expect(try twilio.sentMessage()["status"] == "queued")
  }

  @Test("texts name receiver and sender")
  func texts() throws {
    let refused = try twilio.sendMessage(to: "+15005550002").decode(ErrorAnswer.self)

    #expect(
      refused.message
        == "The 'To' phone number: +15005550002, is not currently reachable using the 'From' phone number: "
        + "+15005550006 via SMS.")
  }

  @Test(
    "46 D2: texts are those of public logs",
    arguments: [
      ([("From", "+15005550006"), ("Body", "a")], "A 'To' phone number is required."),
      ([("To", "+12025550100"), ("Body", "a")], "A 'From' phone number is required."),
      ([("To", "+12025550100"), ("From", "+15005550006")], "Message body is required."),
      (
        [("To", "+12025550100"), ("From", "+12025550100"), ("Body", "a")],
        "'To' and 'From' number cannot be the same: +1202555XXXX"
      ),
      ([("To", "+1202555"), ("From", "+15005550006"), ("Body", "a")], "Invalid 'To' Phone Number: +120XXXX"),
      (
        [("To", "+12025550100"), ("From", "!"), ("Body", "a")],
        "The 'From' number ! is not a valid phone number, shortcode, or alphanumeric sender ID."
      ),
      (
        [("To", "+15005550003"), ("From", "+15005550006"), ("Body", "a")],
        "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +1500555XXXX"
      ),
      (
        [("To", "+15005550009"), ("From", "+15005550006"), ("Body", "a")],
        "To number: +15005550009, is not a mobile number"
      ),
      (
        [("To", "+12025550100"), ("From", "+15005550006"), ("Body", String(repeating: "a", count: 1601))],
        "The concatenated message body exceeds the 1600 character limit."
      ),
    ] as [([(String, String)], String)])
  func logged(pairs: [(String, String)], message: String) throws {
    let refused = try twilio.postMessage(pairs).decode(ErrorAnswer.self)

    #expect(refused.status == 400 && refused.message == message)
  }

  @Test("46 D2: a trial account's unverified number has a text of Verify and one of messages")
  func unverified() throws {
    try twilio.seed(#"{"twilio":{"settings":{"accountType":"trial"}}}"#)

    #expect(
      try twilio.create().answer
        == errorAnswer(
          403, 21608,
          "The phone number is unverified. Trial accounts cannot send messages to unverified numbers; "
            + "verify it at twilio.com/user/account/phone-numbers/verified"))
    #expect(
      try twilio.sendMessage().decode(ErrorAnswer.self).message
        == "The number +1202555XXXX is unverified. Trial accounts cannot send messages to unverified numbers; "
        + "verify +1202555XXXX at twilio.com/user/account/phone-numbers/verified, or purchase a Twilio number "
        + "to send messages to unverified numbers")
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

    #expect(try MessageItem(create(from: sender))["status"] == "queued")
    #expect(try codeOf(create(from: "+12025550199")) == 21606)
    #expect(try codeOf(create(from: "+15005550008")) == 21611)
    #expect(try twilio.inbox().isEmpty)
  }

  // MARK: One message

  @Test("an empty Body redacts the stored text; other texts are refused")
  func redaction() throws {
    let message = try twilio.sentMessage()

    let exchange = try post([("Body", "")], at: "\(messages)/\(message.sid).json")
    let refused = try post([("Body", "other")], at: "\(messages)/\(message.sid).json")

    exchange.matches(golden: "redacted")
    refused.matches(golden: "other-text")
    #expect(try MessageItem(exchange)["body"] == "")
    #expect(try codeOf(refused) == 60200)
    #expect(try twilio.fetchMessage(message.sid)["body"] == "")
  }

  @Test("a scheduled message waits; canceled, it is never sent")
  func schedule() throws {
    let service = "MG" + String(repeating: "1", count: 32)
    let form = [("To", TwilioWorld.number), ("MessagingServiceSid", service), ("Body", "Later")]
    func schedule(_ time: String?) throws -> Exchange {
      try post(form + [("ScheduleType", "fixed")] + (time.map { [("SendAt", $0)] } ?? []))
    }
    let soon = twilio.sandbox.clock.now + .seconds(899)
    #expect(try codeOf(schedule(nil)) == 35111)
    #expect(try codeOf(schedule(soon.iso8601)) == 35114)
    #expect(try codeOf(twilio.sendMessage([("ScheduleType", "fixed")])) == 35118)

    let time = (twilio.sandbox.clock.now + .seconds(1000)).iso8601
    let (one, two) = (try MessageItem(schedule(time)), try MessageItem(schedule(time)))
    #expect(one["status"] == "scheduled" && one["date_sent"] == nil)
    let canceled = try MessageItem(post([("Status", "canceled")], at: "\(messages)/\(one.sid).json"))
    #expect(canceled["status"] == "canceled")

    try twilio.advance(1001)
    #expect(try twilio.fetchMessage(one.sid)["status"] == "canceled")
    #expect(try twilio.fetchMessage(two.sid)["status"] == "delivered")
    #expect(try twilio.inbox().map(\.text) == ["Later"])
    let late = try post([("Status", "canceled")], at: "\(messages)/\(two.sid).json")
    #expect(try codeOf(late) == 30409)
  }

  @Test("a deleted message is gone; one of another account was never there")
  func deletion() throws {
    let message = try twilio.sentMessage()
    let path = "\(messages)/\(message.sid).json"
    let other = "AC" + String(repeating: "2", count: 32)

    let foreign = try twilio.get(path.replacing(TwilioWorld.account, with: other))
    let gone = try twilio.delete(path)
    gone.matches(golden: "deleted")
    let again = try twilio.delete(path)
    again.matches(golden: "unknown")
    let fetched = try twilio.get(path)
    fetched.matches(golden: "unknown")

    #expect(gone.answer == "204")
    #expect(try [foreign, again, fetched].map(codeOf) == [20404, 20404, 20404])
    #expect(fetched.answer == notFound(path))
  }

  @Test("media have SIDs and types, and can be deleted")
  func media() throws {
    let urls = [("MediaUrl", "https://a.test/1.png"), ("MediaUrl", "https://a.test/2.jpg?x=1")]
    let message = try twilio.sentMessage(urls)
    #expect(message.sid.hasPrefix("MM") && message["num_media"] == "2")
    let path = "\(messages)/\(message.sid)/Media"

    let list = try twilio.get("\(path).json")
    list.matches(golden: "two")
    let items = try MessageItem(list).json["media_list"]?.items ?? []
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

    #expect(try codeOf(gone) == 20404)
    #expect(try twilio.fetchMessage(message.sid)["num_media"] == "1")
  }

  @Test("feedback is confirmed or unconfirmed")
  func feedback() throws {
    let message = try twilio.sentMessage()
    let path = "\(messages)/\(message.sid)/Feedback.json"

    let exchange = try post([("Outcome", "unconfirmed")], at: path)
    let refused = try post([("Outcome", "maybe")], at: path)

    exchange.matches(golden: "unconfirmed")
    refused.matches(golden: "unknown-outcome")
    #expect(try MessageItem(exchange)["outcome"] == "unconfirmed")
    #expect(try codeOf(refused) == 60200)
  }
}
