import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · omnichannel", .contract("telesign.md 9.2"))
struct TelesignOmnichannelTests {
  private static let text = #"{"template":"text","parameters":{"text":"Your code is 123456"}}"#
  private static let sms =
    #"{"recipient":{"phone_number":"15558675309"},"message":{"sms":\#(text)},"message_type":"ARN","#
    + #""channels":[{"channel":"sms","fallback_time":300}]}"#
  private static let twoChannels =
    #"{"phone_number":"15558675309","message":{"whatsapp":\#(text),"sms":\#(text)},"message_type":"OTP","#
    + #""external_id":"mine","channels":[{"channel":"whatsapp","fallback_time":60},{"channel":"sms"}]}"#

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func send(_ body: String = sms) throws -> Exchange {
    try telesign.send(.post, "/v1/omnichannel", json: body)
  }

  private func status(_ reference: String) throws -> Exchange {
    try telesign.get("/v1/omnichannel/\(reference)")
  }

  private func channels() throws -> [Channel] { try telesign.inbox(TelesignWorld.number).map(\.channel) }

  private func plan(_ scenarios: String) throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","scenarios":[\#(scenarios)]}]}"#)
  }

  @Test("a new message is in progress, then delivered")
  func sent() throws {
    let exchange = try send()
    exchange.matches(golden: "in-progress")
    let first = try status(exchange.reference()).statusCode()
    try telesign.advance(1)

    let last = try status(exchange.reference())

    last.matches(golden: "delivered")
    #expect(try first == 3001 && last.statusCode() == 3000)
    #expect(try telesign.inbox(TelesignWorld.number).last?.text == "Your code is 123456")
  }

  @Test("after a delivery no other channel is used")
  func first() throws {
    _ = try send(Self.twoChannels)
    try telesign.advance(600)

    #expect(try channels() == [.whatsapp])
  }

  @Test("after a failure the next channel starts at once")
  func failure() throws {
    try plan(#"{"match":{"channel":"whatsapp"},"outcome":"fail"}"#)
    let reference = try send(Self.twoChannels).reference()
    #expect(try channels() == [])

    try telesign.advance(1)

    #expect(try channels() == [.sms])
    #expect(try status(reference).statusCode() == 3000)
    #expect(try telesign.inbox(TelesignWorld.number).last?.code == "123456")
  }

  @Test("without a receipt the next channel starts after the timeout")
  func timeout() throws {
    try plan(#"{"match":{"channel":"whatsapp"},"outcome":"absent"}"#)
    let reference = try send(Self.twoChannels).reference()

    try telesign.advance(59)
    #expect(try channels() == [])
    #expect(try status(reference).statusCode() == 3002)
    try telesign.advance(1)
    #expect(try channels() == [.sms])
    try telesign.advance(1)
    #expect(try status(reference).statusCode() == 3000)
  }

  @Test("if every channel fails, the status is the last one's failure")
  func failed() throws {
    try plan(#"{"match":{"channel":"whatsapp"},"outcome":"notCapable"},{"outcome":"undeliverable"}"#)
    let reference = try send(Self.twoChannels).reference()
    try telesign.advance(5)

    #expect(try status(reference).statusCode() == 3031)
    #expect(try channels() == [])
  }

  @Test("one callback is sent, at the end")
  func callback() throws {
    try telesign.configure(#""account.callback_url":"\#(TelesignWorld.hook)""#)
    try plan(#"{"match":{"channel":"whatsapp"},"outcome":"fail"}"#)
    let reference = try send(Self.twoChannels).reference()
    _ = try telesign.world.send(.json(.post, "/control/clock", #"{"advance":"600s"}"#))

    let bodies = telesign.world.receiver.deliveries.map(\.body)
    #expect(bodies.count == 1)
    #expect(
      bodies.first?.hasPrefix(
        #"{"reference_id":"\#(reference)","external_id":"mine","status":{"code":3000,"#) == true)
  }

  @Test("each missing or invalid parameter has its own error")
  func refusals() throws {
    try send(#"{"message":{},"message_type":"ARN"}"#).matches(golden: "without-number")
    try status(String(repeating: "F", count: 32)).matches(golden: "unknown")
    let whole: [(String, String)] = [
      ("phone_number", #""15558675309""#), ("message", #"{"sms":\#(Self.text)}"#),
      ("message_type", #""ARN""#),
      ("channels", #"[{"channel":"sms"}]"#),
    ]
    for (name, value, code) in [
      ("phone_number", #""abc""#, 3101), ("message", "null", 3303), ("message_type", "null", 3304),
      ("message_type", #""XXX""#, 3102), ("channels", "null", 3300), ("channels", "[]", 3300),
      ("channels", "[{}]", 3301), ("channels", #"[{"channel":"pigeon"}]"#, 3100),
      ("channels", #"[{"channel":"viber"}]"#, 3306),
      ("channels", #"[{"channel":"sms","fallback_time":0}]"#, 3110),
      ("message", #"{"sms":{"template":"text"}}"#, 3305), ("message", #"{"sms":{"template":"other"}}"#, 3112),
      ("external_id", #""é""#, 3103), ("account_lifecycle_event", #""x""#, 3104),
      ("originating_ip", #""x""#, 3105), ("callback_url", #""x""#, 3106), ("channels", #""sms""#, 3110),
    ] {
      let fields = whole.filter { $0.0 != name } + [(name, value)]
      let body = fields.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",")
      #expect(try send("{\(body)}").errorCodes() == "400 \(code)", "\(name) \(value)")
    }
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test("an unknown id is 404 if the setting says so")
  func setting() throws {
    try telesign.configure(#""verify.unknown_reference_http":404"#)

    #expect(try status(String(repeating: "F", count: 32)).errorCodes() == "404 3110")
  }

  @Test("the carrier's record decides which channels a number supports")
  func capability() throws {
    let sms = try telesign.get("/capability/sms/15558675309")
    let agent = try telesign.get("/capability/rcs/15558675309/my-agent")
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","rcs":false}]}"#)

    sms.matches(golden: "supported")
    agent.matches(golden: "supported")
    for (path, code) in [
      ("rcs/15558675309", 3055), ("rbm/15558675309/agent", 3055), ("whatsapp/15558675309", 3060),
      ("sms/12025550112", 3055), ("sms/12025550132", 3055), ("mms/12025550100", 3060),
      ("sms/15558670010", 3115),
    ] {
      #expect(try telesign.get("/capability/\(path)").statusCode() == code, "\(path)")
    }
    try telesign.get("/capability/pigeon/15558675309").matches(golden: "no-channel")
    try telesign.get("/capability/sms/abc/my-agent").matches(golden: "no-number")
  }
}
