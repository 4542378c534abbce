import Domain
import HTTP
import JSON
import Support
import Telesign
import Testing

@Suite("Telesign · SMS", .contract("telesign.md 9.1"))
struct TelesignMessagingTests {
  private static let path = "/v1/messaging"

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func send(_ digits: String = TelesignWorld.number, type: String = "OTP") throws -> Exchange {
    try telesign.post(
      Self.path,
      form: ["phone_number": digits, "message": "Your code is 123456 & é", "message_type": type])
  }

  private func status(_ reference: String) throws -> Exchange {
    try telesign.get("\(Self.path)/\(reference)")
  }

  @Test("a new message is in progress, and its text is unchanged")
  func sent() throws {
    let exchange = try send()

    exchange.matches(golden: "in-progress")
    let message = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect(message.text == "Your code is 123456 & é" && message.code == "123456")
    #expect(message.sender == "Telesign")
  }

  @Test("only a one-time password has a code")
  func code() throws {
    _ = try send(type: "ARN")

    #expect(try telesign.inbox(TelesignWorld.number).last?.code == nil)
  }

  @Test("a status follows the carrier", .contract("telesign.md 9.1, 14"))
  func progress() throws {
    let reference = try send().reference()
    let first = try status(reference).statusCode()
    try telesign.advance(1)
    let last = try status(reference)

    last.matches(golden: "delivered")
    #expect(try first == 290 && last.statusCode() == 200)
  }

  @Test(
    "a number's ending decides the delivery", .contract("telesign.md 15.1"),
    arguments: [("0207", 207), ("0221", 221), ("0230", 230), ("0250", 250), ("0290", 290)])
  func endings(ending: String, code: Int) throws {
    let reference = try send("1555867\(ending)").reference()
    try telesign.advance(120)

    #expect(try status(reference).statusCode() == code)
  }

  @Test(
    "sending fails if the number's ending or the account says so", .contract("telesign.md 9.1, 15.1"),
    arguments: [("0429", "429 10019"), ("0503", "503 10000"), ("0033", "401 10033")])
  func refusedEndings(ending: String, refusal: String) throws {
    #expect(try send("1555867\(ending)").errorCodes() == refusal)
    #expect(try telesign.inbox("1555867\(ending)").isEmpty)
  }

  @Test("the HTTP status of a success is a setting")
  func created() throws {
    try telesign.configure(#""messaging.http_success":201"#)

    #expect(try send().answer.hasPrefix("201 {"))
  }

  @Test("a status includes parts, network and price if the setting says so")
  func additionalInfo() throws {
    let reference = try send().reference()
    let plain = try status(reference).members()
    try telesign.configure(#""messaging.additional_info":true"#)
    let exchange = try status(reference)

    exchange.matches(golden: "additional-info")
    #expect(try plain.optionalObject("additional_info") == nil)
    #expect(try exchange.members().object("additional_info").int("message_parts_count") == 1)
  }

  @Test("each missing or invalid parameter has its own error")
  func refusals() throws {
    try telesign.post(Self.path, form: ["message": "x", "message_type": "OTP"]).matches(golden: "no-number")
    for (name, value, refusal) in [
      ("phone_number", "abc", "400 11000"), ("message", "", "400 12009"), ("message_type", "", "400 12017"),
      ("message", String(repeating: "x", count: 1601), "400 11009"), ("message_type", "XXX", "400 11017"),
      ("sender_id", String(repeating: "x", count: 21), "400 11013"), ("external_id", "é", "400 11016"),
      ("originating_ip", "x", "400 11010"), ("account_lifecycle_event", "x", "400 11003"),
      ("callback_url", "x", "400 11004"), ("callback_url", "http://127.0.0.1:9", "401 10012"),
      ("dlt_template_id", "x", "400 11034"), ("dlt_entity_id", "x", "400 11035"),
    ] {
      var fields = ["phone_number": TelesignWorld.number, "message": "x", "message_type": "OTP"]
      fields[name] = value
      let body = fields.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
      #expect(try telesign.send(.post, Self.path, json: "{\(body)}").errorCodes() == refusal, "\(name)")
    }
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test(
    "a reference id works until it expires, for its own customer and its own product",
    .contract("telesign.md 9.1, 16"))
  func references() throws {
    let reference = try send().reference()
    let call = try telesign.post(
      "/v1/voice", form: ["phone_number": TelesignWorld.number, "message": "x", "message_type": "ARN"])
    let others = Request.basic("00000000-0000-4000-8000-000000000001", "x")

    try status(String(repeating: "F", count: 32)).matches(golden: "unknown")
    #expect(try status("xyz").errorCodes() == "400 11011")
    #expect(try status(call.reference()).errorCodes() == "404 10017")
    #expect(
      try telesign.get("\(Self.path)/\(reference)", as: others).errorCodes() == "404 10017")
    try telesign.advance(24 * 3600 - 1)
    #expect(try status(reference).isAccepted)
    try telesign.advance(1)
    #expect(try status(reference).errorCodes() == "404 10036")
  }

  @Test("references are limited by the history that the sandbox keeps")
  func history() throws {
    var retention = Retention()
    retention.maxOrdinals = 50
    let telesign = TelesignWorld(try TestSandbox(of: TelesignProvider.self) { $0.retention = retention })
    let section = RecordStore.Section(provider: "telesign", kind: "transaction")
    var references: [String] = []
    for _ in 0..<100 {
      let form: KeyValuePairs = [
        "phone_number": TelesignWorld.number, "message": "x", "message_type": "OTP",
      ]
      references.append(try telesign.post(Self.path, form: form).reference())
    }

    #expect(try telesign.sandbox.records.all(section).count < 50)
    #expect(try telesign.get("\(Self.path)/\(references[0])").errorCodes() == "404 10036")
    #expect(try telesign.get("\(Self.path)/\(references[99])").isAccepted)
  }

  @Test("a repeated member of a JSON body counts with its last value")
  func repeatedMember() throws {
    let body =
      #"{"phone_number":"x","message":"a","message_type":"OTP","message":"b","phone_number":"\#(TelesignWorld.number)"}"#

    #expect(try telesign.send(.post, Self.path, json: body).isAccepted)
    #expect(try telesign.inbox(TelesignWorld.number).last?.text == "b")
  }

  @Test("expired references are deleted, and stay expired")
  func room() throws {
    let old = try send().reference()
    try telesign.advance(25 * 3600)
    _ = try send()

    #expect(try status(old).errorCodes() == "404 10036")
    #expect(
      try telesign.sandbox.records.all(RecordStore.Section(provider: "telesign", kind: "transaction")).count
        == 1)
  }

  @Test("a callback is sent when the delivery is final", .contract("telesign.md 13.3"))
  func callback() throws {
    try telesign.configure(#""account.callback_url":"\#(TelesignWorld.hook)""#)
    let reference = try telesign.post(
      Self.path,
      form: [
        "phone_number": TelesignWorld.number, "message": "x", "message_type": "ARN", "external_id": "mine",
      ]
    ).reference()
    _ = try telesign.world.send(.json(.post, "/control/clock", #"{"advance":"60s"}"#))

    let delivery = try #require(telesign.world.receiver.deliveries.first)
    #expect(
      delivery.body.hasPrefix(
        #"{"reference_id":"\#(reference)","external_id":"mine","status":{"code":200,"#))
  }
}
