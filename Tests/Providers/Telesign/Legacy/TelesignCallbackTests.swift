import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · callbacks", .contract("telesign.md 13"))
struct TelesignCallbackTests {
  let telesign: TelesignWorld

  init() throws {
    telesign = try TelesignWorld()
    try telesign.configure(#""account.callback_url":"\#(TelesignWorld.hook)""#)
  }

  private var deliveries: [TestReceiver.Delivery] { telesign.world.receiver.deliveries }

  private func wait(_ seconds: Int = 60) throws {
    _ = try telesign.world.send(.json(.post, "/control/clock", #"{"advance":"\#(seconds)s"}"#))
  }

  private func statuses() throws -> [Int] {
    try deliveries.map { try Fields($0.request.body).object("status").int("code") }
  }

  @Test("a callback is sent when the delivery is final; both headers have its signature")
  func sent() throws {
    let reference = try telesign.sms().reference()
    #expect(deliveries.isEmpty)

    try wait()

    let delivery = try #require(deliveries.first)
    let digest = HMAC.authenticate(delivery.request.body, key: Array(0...63), .sha256)
    #expect(deliveries.count == 1 && delivery.url == TelesignWorld.hook)
    #expect(delivery.timeouts.total == .seconds(5))
    #expect(delivery["X-TS-Authorization"] == Base64.encode(digest))
    #expect(delivery["Authorization"] == "TSA \(TelesignWorld.customer):\(Base64.encode(digest))")
    #expect(delivery["Content-Type"] == "application/json")
    #expect(
      delivery.body == """
        {"reference_id":"\(reference)","sub_resource":"sms","errors":[],\
        "status":{"code":200,"description":"Delivered to handset","updated_on":"2026-01-05T10:20:30.200000Z"},\
        "submit_timestamp":"2026-01-05T10:20:30.000000Z",\
        "verify":{"code_state":"UNKNOWN","code_entered":null},\
        "additional_info":{"message_parts_count":1,"mcc":"001","mnc":"01","price":"0.00850","currency":"USD"}}
        """)
  }

  @Test("it includes the code that was entered meanwhile")
  func entered() throws {
    let reference = try telesign.sms().reference()
    _ = try telesign.status(reference, code: telesign.code())
    try wait()

    let verify = try Fields(#require(deliveries.first).request.body).object("verify")
    #expect(try verify.string("code_state") == "VALID" && verify.string("code_entered") == telesign.code())
  }

  @Test(
    "it reports the final status; without a final status there is no callback",
    arguments: [("0207", [207]), ("0221", [221]), ("0230", [230]), ("0250", [250]), ("0290", [])])
  func ends(ending: String, codes: [Int]) throws {
    _ = try telesign.sms("1555867\(ending)")
    try wait(3600)

    #expect(try statuses() == codes)
  }

  @Test("a held message is reported when it arrives, and only once")
  func released() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","reach":{"sms":false}}]}"#)
    let reference = try telesign.sms().reference()
    let process = try telesign.start()
    try wait(10)
    #expect(deliveries.isEmpty)

    _ = try telesign.world.send(
      .json(.post, "/control/subscribers/+15558675309/events", #"{"event":"attach"}"#))
    try wait(20)

    #expect(try telesign.progress(reference) == 200)
    let bodies = try deliveries.map { try Fields($0.request.body) }
    #expect(try bodies.map { try $0.string("reference_id") } == [reference, process])
    #expect(
      try bodies[0].object("status").string("updated_on") == "2026-01-05T10:20:40.000000Z")
    #expect(try bodies[1].objects("inner_methods").map { try $0.int("err_code") } == [3000])
    try wait(200)
    #expect(deliveries.count == 2)
  }

  @Test("the end of a call is reported too")
  func calls() throws {
    _ = try telesign.voice()
    try wait()

    let body = try Fields(#require(deliveries.first).request.body)
    #expect(try body.string("sub_resource") == "call" && statuses() == [100])
  }

  @Test("only 200 is an acknowledgement: four attempts, 5, 10 and 15 s apart")
  func retries() throws {
    telesign.world.receiver.answer = .answered(status: 204, body: "")
    _ = try telesign.sms()
    try wait(3600)

    let webhook = try #require(try telesign.sandbox.webhooks.latest)
    let times = try telesign.sandbox.webhooks.attempts(of: webhook.ordinal).map(\.at)
    #expect(times.map { ($0 - times[0]).milliseconds / 1000 } == [0, 5, 15, 30])
    #expect(webhook.state == .failed)
    #expect(deliveries.map(\.request) == Array(repeating: deliveries[0].request, count: 4))
  }

  @Test("a request may set its own URL only if the account allows it")
  func own() throws {
    let refused = try telesign.sms(TelesignWorld.number, ["callback_url": "http://127.0.0.1:9/own"])
    try telesign.configure(#""verify.callback_allowed":true"#)
    let broken = try telesign.sms(TelesignWorld.number, ["callback_url": "own"])
    let taken = try telesign.sms(TelesignWorld.number, ["callback_url": "http://127.0.0.1:9/own"])
    try wait()

    #expect(try refused.errorCodes() == "401 501 -20003")
    #expect(try broken.errorCodes() == "400 500 -10001")
    #expect(taken.isAccepted && deliveries.map(\.url) == ["http://127.0.0.1:9/own"])
  }

  @Test("without a URL, or if nothing was sent, there is no callback")
  func nowhere() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","forwarding":["unconditional"]}]}"#)
    _ = try telesign.voice(TelesignWorld.number, ["call_forward_action": "block"])
    try telesign.configure(#""account.callback_url":"""#)
    _ = try telesign.sms()
    try wait()

    #expect(deliveries.isEmpty)
  }

  @Test("an unknown account gets callbacks signed with the sandbox's own key")
  func unknownAccount() throws {
    let other = "11111111-2222-3333-4444-555555555555"
    _ = try telesign.post(
      "/v1/verify/sms", form: ["phone_number": TelesignWorld.number], as: Request.basic(other, "x"))
    try wait()

    let delivery = try #require(deliveries.first)
    let digest = HMAC.authenticate(delivery.request.body, key: Array(0...63), .sha256)
    #expect(delivery["Authorization"] == "TSA \(other):\(Base64.encode(digest))")
  }
}
