import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Prelude · Notify", .contract("prelude.md 10"))
struct PreludeNotifyTests {
  private let prelude: PreludeWorld
  private static let paths = ["/v2/notify", "/v2/transactional"]

  init() throws {
    prelude = try PreludeWorld()
    try prelude.seed(
      #"""
      {"prelude":{"templates":[
        {"id":"template_order","text":"Hello {{ name }}, order {{number}} is on its way."},
        {"id":"template_sale","category":"marketing","text":"Sale!","countries":["FR","US"]}],
       "senderIds":[{"name":"SOON","status":"pending"}]}}
      """#)
  }

  private func send(_ members: String, to number: String = PreludeWorld.number, path: String = "/v2/notify")
    throws
    -> Exchange
  {
    try prelude.post(path, #"{"to":"\#(number)",\#(members)}"#)
  }

  @Test("a message is accepted with its details and delivered to the inbox")
  func sent() throws {
    let exchange = try send(
      #""template_id":"template_order","variables":{"name":"Ada","number":"7"},"from":"ACME","#
        + #""correlation_id":"order-7","callback_url":"https://example.com/hook""#)

    exchange.matches(golden: "sent")
    let message = try exchange.decode(MessageAnswer.self)
    #expect(message.id.hasPrefix("tx_") && message.expiresAt == "2026-01-06T10:20:30.000Z")
    #expect(message.measures == "GSM-7 1")
    try prelude.advance(1)
    let received = try #require(try prelude.inbox().last)
    #expect(received.text == "Hello Ada, order 7 is on its way.")
    #expect(received.sender == "ACME" && received.channel == .sms && received.reference == message.id)
  }

  @Test("a transactional send has the same response without schedule and length")
  func transactional() throws {
    let exchange = try send(
      #""template_id":"template_order","variables":{"name":"Ada","number":"7"},"schedule_at":"soon""#,
      path: "/v2/transactional")

    exchange.matches(golden: "sent")
    let message = try exchange.decode(MessageAnswer.self)
    #expect(message.scheduleAt == nil && message.measures == nil)
    try prelude.advance(1)
    #expect(try prelude.inbox().last?.text == "Hello Ada, order 7 is on its way.")
  }

  @Test("an unknown template takes any variables, unless the setting says otherwise")
  func unknownTemplate() throws {
    let members = #""template_id":"template_x","variables":{"a":"b","c":"d"}"#

    _ = try send(members).decode(MessageAnswer.self)
    try prelude.advance(1)
    #expect(try prelude.inbox().last?.text == "[template_x] a=b, c=d")
    try prelude.configure(#""templates":"seeded""#)
    #expect(try send(members).preludeError() == "404 template_not_found template_id")
  }

  @Test("a scheduled message is not delivered before its time")
  func schedule() throws {
    let exchange = try send(#""template_id":"template_x","schedule_at":"2026-01-05T13:20:30+02:00""#)

    exchange.matches(golden: "scheduled")
    let message = try exchange.decode(MessageAnswer.self)
    #expect(
      message.scheduleAt == "2026-01-05T11:20:30.000Z" && message.expiresAt == "2026-01-06T11:20:30.000Z")
    try prelude.advance(3599)
    #expect(try prelude.inbox().isEmpty)
    try prelude.advance(2)
    #expect(try prelude.inbox().count == 1)
  }

  @Test("a message is not delivered after it has expired")
  func expiry() throws {
    try prelude.seed(#"{"scenarios":[{"match":{},"outcome":"slow","afterMs":60000}]}"#)
    _ = try send(#""template_id":"template_x","expires_at":"2026-01-05T10:21:00Z""#).decode(
      MessageAnswer.self)
    _ = try send(#""template_id":"template_x","expires_at":"2026-01-05T10:22:00Z""#).decode(
      MessageAnswer.self)

    try prelude.advance(600)

    #expect(try prelude.inbox().count == 1)
  }

  @Test(
    "the preferred channel is used if the receiver has it",
    arguments: [
      ("", "whatsapp", Channel.whatsapp), ("", "rcs", .rcs), ("", "sms", .sms),
      (#""whatsapp":false"#, "whatsapp", .sms), (#""rcs":false"#, "rcs", .sms),
    ])
  func channel(record: String, preferred: String, channel: Channel) throws {
    if !record.isEmpty { try prelude.seed(#"{"subscribers":[{"number":"+33639980050",\#(record)}]}"#) }

    let message = try send(#""template_id":"template_x","preferred_channel":"\#(preferred)""#)
      .decode(MessageAnswer.self)
    try prelude.advance(1)

    #expect(try prelude.inbox().last?.channel == channel)
    #expect((message.measures == nil) == (channel != .sms))
  }

  @Test(
    "the response has encoding and segments of the text",
    arguments: [
      (String(repeating: "a", count: 145), "GSM-7 1"), (String(repeating: "a", count: 170), "GSM-7 2"),
      (String(repeating: "ж", count: 80), "UCS-2 2"),
    ])
  func measures(text: String, measures: String) throws {
    let message = try send(#""template_id":"t","variables":{"v":"\#(text)"}"#).decode(MessageAnswer.self)

    #expect(message.measures == measures)
  }

  @Test(
    "a missing or invalid member is rejected with its name",
    arguments: [
      ("", "400 invalid_request template_id"), (#""template_id":7"#, "400 invalid_request template_id"),
      (#""template_id":"a b""#, "400 invalid_template_id template_id"),
      (#""template_id":"t","callback_url":"ftp://example.com""#, "400 invalid_callback_url callback_url"),
      (#""template_id":"t","callback_url":1,"expires_at":1"#, "400 invalid_request callback_url"),
      (
        #""template_id":"t","correlation_id":"\#(String(repeating: "x", count: 81))""#,
        "400 invalid_correlation_id correlation_id"
      ),
      (#""template_id":"t","document":{}"#, "400 invalid_request document.url"),
      (#""template_id":"t","document":{"url":"file:///etc/passwd"}"#, "400 invalid_request document.url"),
      (#""template_id":"t","expires_at":"tomorrow""#, "400 invalid_date_format expires_at"),
      (#""template_id":"t","expires_at":"2026-01-05T10:20:30Z""#, "400 expires_at_in_past expires_at"),
      (
        #""template_id":"t","expires_at":"2026-01-06T10:20:31Z""#,
        "400 expires_at_too_far_in_future expires_at"
      ),
      (#""template_id":"t","locale":"?""#, "400 invalid_locale locale"),
      (#""template_id":"t","max_auto_retries":-1"#, "400 invalid_request max_auto_retries"),
      (#""template_id":"t","preferred_channel":"pigeon""#, "400 invalid_request preferred_channel"),
      (#""template_id":"t","variables":{"a":1}"#, "400 invalid_request variables.a"),
      (#""template_id":"t","from":"much too long""#, "400 invalid_sender_id from"),
      (#""template_id":"t","from":"SOON""#, "400 invalid_sender_id from"),
      (
        #""template_id":"template_order","variables":{"name":"Ada"}"#,
        "400 invalid_template_variables variables"
      ),
    ])
  func malformed(members: String, error: String) throws {
    for path in Self.paths {
      let body = members.isEmpty ? "{}" : #"{"to":"+33639980050",\#(members)}"#
      let exchange = try prelude.post(path, body)

      if members.isEmpty { exchange.matches(golden: "no-template") }
      #expect(try exchange.preludeError() == error)
    }
    try prelude.advance(90_000)
    #expect(try prelude.inbox().isEmpty)
  }

  @Test(
    "the schedule must be from now to 90 days ahead",
    arguments: [
      ("soon", "400 invalid_date_format schedule_at"),
      ("2026-01-05T10:20:29Z", "400 invalid_request schedule_at"),
      ("2026-04-05T10:20:31Z", "400 invalid_request schedule_at"),
    ])
  func badSchedule(time: String, error: String) throws {
    #expect(try send(#""template_id":"t","schedule_at":"\#(time)""#).preludeError() == error)
  }

  @Test(
    "a receiver that cannot get the message is rejected",
    arguments: [
      ("0612345678", "400 invalid_phone_number to"), ("+33639980012", "400 invalid_line_type to"),
      ("+33639980020", "400 unsupported_country to"), ("+33639980021", "400 insufficient_balance"),
      ("+33639980023", "500 internal"),
    ])
  func receiver(number: String, error: String) throws {
    for path in Self.paths {
      #expect(try send(#""template_id":"t""#, to: number, path: path).preludeError() == error)
    }
  }

  @Test(
    "marketing is only for the countries of the template, and not for transactional sends",
    .contract("prelude.md 11.2"))
  func marketing() throws {
    let sale = #""template_id":"template_sale""#

    _ = try send(sale).decode(MessageAnswer.self)
    #expect(
      try send(sale, to: "+447700900123").preludeError()
        == "400 template_not_registered_in_country template_id")
    #expect(
      try send(sale, path: "/v2/transactional").preludeError() == "400 category_forbidden template_id")
  }

  @Test(
    "marketing to an unsubscribed number is rejected, other messages are not",
    .contract("prelude.md 10, 11.2")
  )
  func unsubscribed() throws {
    try prelude.seed(
      #"""
      {"prelude":{"subscriptions":[{"id":"sub_1","name":"News","callbackUrl":"https://example.com/s","members":[
        {"number":"+33639980050","state":"UNSUB","source":"MO_KEYWORD","reason":"STOP"}]}]}}
      """#)

    #expect(try send(#""template_id":"template_sale""#).preludeError() == "400 unsubscribed to")
    _ = try send(#""template_id":"template_x""#).decode(MessageAnswer.self)
    _ = try send(#""template_id":"template_sale""#, to: "+33639980057").decode(MessageAnswer.self)
  }
}

struct MessageAnswer: NamedBody {
  static let statuses: Set = [200]
  let id: String
  let expiresAt: String
  let scheduleAt: String?
  let measures: String?

  init(_ fields: Fields) throws {
    id = try fields.string("id")
    for name in ["template_id", "to", "created_at"] { _ = try fields.string(name) }
    for name in ["callback_url", "correlation_id", "from"] { _ = try fields.optionalString(name) }
    let variables = try fields.object("variables")
    for name in variables.names { _ = try variables.string(name) }
    expiresAt = try fields.string("expires_at")
    scheduleAt = try fields.optionalString("schedule_at")
    let segments = try fields.optionalInt("estimated_segment_count")
    measures = try fields.optionalString("encoding").map { "\($0) \(segments ?? 0)" }
  }
}
