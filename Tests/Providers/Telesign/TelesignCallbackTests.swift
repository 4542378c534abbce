import Basics
import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · callbacks", .contract("telesign.md 13"))
struct TelesignCallbackTests {
  private static let hook = "http://127.0.0.1:9/hook"

  let telesign: TelesignWorld

  init() throws {
    telesign = try TelesignWorld()
    try telesign.configure(#""account.callback_url":"\#(Self.hook)""#)
  }

  private var deliveries: [TestReceiver.Delivery] { telesign.world.receiver.deliveries }

  private func wait(_ seconds: Int = 60) throws {
    _ = try telesign.world.send(.json(.post, "/control/clock", #"{"advance":"\#(seconds)s"}"#))
  }

  @Test("a callback is sent when the delivery is final; both headers have its signature")
  func sent() throws {
    let reference = try telesign.sms().reference()
    #expect(deliveries.isEmpty)

    try wait()

    let delivery = try #require(deliveries.first)
    let digest = HMAC.authenticate(delivery.request.body, key: Array(0...63), .sha256)
    #expect(deliveries.count == 1 && delivery.url == Self.hook)
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

  @Test("an unknown account gets callbacks signed with the sandbox's own key")
  func unknownAccount() throws {
    let other = "11111111-2222-3333-4444-555555555555"
    _ = try telesign.sms(as: Request.basic(other, "x"))
    try wait()

    let delivery = try #require(deliveries.first)
    let digest = HMAC.authenticate(delivery.request.body, key: Array(0...63), .sha256)
    #expect(delivery["Authorization"] == "TSA \(other):\(Base64.encode(digest))")
  }

  @Test(
    "a callback has the state of its event, also if another event follows before it is sent",
    .contract("telesign.md 13.4"))
  func waiting() throws {
    let reference = try telesign.create().reference()
    telesign.world.receiver.isSilent = true
    try telesign.advance(2)
    let code = try #require(try telesign.inbox(TelesignWorld.number).last?.code)
    _ = try telesign.send(
      .patch, "/verification/\(reference)/state",
      json: #"{"action":"finalize","security_factor":"\#(code)"}"#)
    telesign.world.receiver.isSilent = false
    telesign.world.sendWebhooks()

    #expect(
      try deliveries.map { try Fields($0.request.body).string("state") } == ["ONGOING", "VERIFIED"])
  }
}
