import Domain
import HTTP
import Support
import Testing

@Suite("Prelude · batches and replies", .contract("prelude.md 10"))
struct PreludeBatchTests {
  private let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private func batch(_ receivers: [String]) throws -> Exchange {
    let list = receivers.map { "\"\($0)\"" }.joined(separator: ",")
    return try prelude.post(
      "/v2/notify/batch", #"{"template_id":"template_x","to":[\#(list)],"variables":{"a":"b"}}"#)
  }

  private func reply(_ members: String) throws -> Exchange {
    try prelude.post("/v2/notify/reply", "{\(members)}")
  }

  @Test("each receiver has a result; the error of one does not affect the others")
  func results() throws {
    let exchange = try batch(["+33639980050", "06", "+33639980057"])

    exchange.matches(golden: "two-of-three")
    #expect(exchange.answer.hasPrefix(#"200 {"total_count":3,"success_count":2,"error_count":1,"results":["#))
    #expect(
      exchange.answer.contains(
        #"{"phone_number":"06","success":false,"error":{"code":"invalid_phone_number","message":"#))
    try prelude.advance(1)
    #expect(try prelude.inbox("+33639980050").count == 1)
    #expect(try prelude.inbox("+33639980057").count == 1)
  }

  @Test("a batch with errors only is 200")
  func allRefused() throws {
    #expect(try batch(["06"]).answer.hasPrefix(#"200 {"total_count":1,"success_count":0,"error_count":1"#))
  }

  @Test("a batch has 1 to 1000 receivers", .contract("prelude.md 10, 11.2"))
  func sizes() throws {
    let empty = try batch([])

    empty.matches(golden: "empty")
    #expect(try empty.preludeError() == "400 empty_batch to")
    #expect(try batch(Array(repeating: "06", count: 1001)).preludeError() == "400 batch_size_exceeded to")
    #expect(try batch(Array(repeating: "06", count: 1000)).answer.hasPrefix(#"200 {"total_count":1000"#))
  }

  @Test("the texts of a batch have at most 2 MiB in all")
  func textLimit() throws {
    func send(receivers: Int) throws -> String {
      let list = Array(repeating: #""06""#, count: receivers).joined(separator: ",")
      let long = String(repeating: "x", count: 100_000)  // of which 64 KiB are sent
      return try prelude.post(
        "/v2/notify/batch", #"{"template_id":"any","to":[\#(list)],"variables":{"a":"\#(long)"}}"#
      ).answer
    }

    #expect(try send(receivers: 32).hasPrefix(#"200 {"total_count":32"#))
    #expect(try send(receivers: 33).contains("invalid_template_variables"))
  }

  @Test("the receivers must be an array of strings")
  func malformed() throws {
    let body = #"{"template_id":"t","to":["+33639980050",7]}"#

    #expect(try prelude.post("/v2/notify/batch", body).preludeError() == "400 invalid_request to[1]")
    #expect(
      try prelude.post("/v2/notify/batch", #"{"template_id":"t","to":"+33639980050"}"#).preludeError()
        == "400 invalid_request to")
  }

  @Test("a reply goes by WhatsApp to the sender, within a day")
  func replied() throws {
    try prelude.seed(#"{"prelude":{"inboundMessages":[{"id":"im_1","from":"+33639980050"}]}}"#)
    let members = #""reply_to":"im_1","text":"Yes.","to":"+33639980050","correlation_id":"c""#

    let exchange = try reply(members)

    exchange.matches(golden: "sent")
    #expect(exchange.answer.hasPrefix(#"200 {"id":"tx_"#))
    try prelude.advance(1)
    let message = try #require(try prelude.inbox().last)
    #expect(message.text == "Yes." && message.channel == .whatsapp)
    try prelude.advance(86_400)
    #expect(try reply(members).preludeError() == "400 window_expired reply_to")
  }

  @Test(
    "an invalid reply is rejected with the name of its member",
    arguments: [
      ("", "400 invalid_request reply_to"),
      (#""reply_to":"im_1","to":"+33639980050""#, "400 invalid_request text"),
      (#""reply_to":"im_1","text":"a""#, "400 invalid_request to"),
      (#""reply_to":"tx_1","text":"a","to":"+33639980050""#, "400 invalid_request reply_to"),
      (#""reply_to":"im_1","text":"","to":"+33639980050""#, "400 missing_text text"),
      (#""reply_to":"im_1","text":"a","to":"06""#, "400 invalid_phone_number to"),
      (#""reply_to":"im_1","text":"a","to":"+33639980057""#, "400 phone_number_mismatch to"),
      (
        #""reply_to":"im_1","text":"a","to":"+33639980050","callback_url":"x""#,
        "400 invalid_callback_url callback_url"
      ),
    ])
  func badReply(members: String, error: String) throws {
    try prelude.seed(#"{"prelude":{"inboundMessages":[{"id":"im_1","from":"+33639980050"}]}}"#)

    let exchange = try reply(members)

    if members.isEmpty { exchange.matches(golden: "no-message") }
    #expect(try exchange.preludeError() == error)
  }

  @Test("an unknown message can be replied to, unless the setting says otherwise")
  func unknownMessage() throws {
    let members = #""reply_to":"im_01k9w4m7x2e8tb6hq3c5d0r1ya","text":"a","to":"+33639980050""#

    #expect(try reply(members).answer.hasPrefix("200"))
    try prelude.configure(#""inboundMessages":"seeded""#)
    #expect(try reply(members).preludeError() == "400 invalid_reply_context reply_to")
  }
}
