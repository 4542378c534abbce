import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · blocked numbers", .contract("telesign.md 7.1 and 14"))
struct TelesignBlockTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func record(_ members: String) throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309",\#(members)}]}"#)
  }

  private static let deactivated = #""deactivatedAt":"-3d""#
  private static let recycled =
    #""subscriberPeriods":[{"from":"-900d","to":"-10d"},{"from":"-2d"}],"activatedAt":"-2d""#

  @Test(
    "a deactivation blocks the message if the request or the account asks for the check",
    arguments: [
      (deactivated, ["num_deac_req": "true"], 232), (recycled, ["num_deac_req": "true"], 232),
      (deactivated, [:], 290), (deactivated, ["num_deac_req": "yes"], 290),
      (deactivated, ["num_deac_req": "true", "number_deactivation_action": "flag"], 290),
      (deactivated, ["num_deac_req": "true", "deactivation_lookup_window": "2"], 290),
      (deactivated, ["num_deac_req": "true", "deactivation_lookup_window": "4"], 232),
      (deactivated, ["num_deac_req": "true", "deactivation_lookup_window": "0"], 232),
      (
        deactivated, ["num_deac_req": "true", "last_valid_activity_time": "Sun, 04 Jan 2026 10:20:30 GMT"],
        290
      ),
      (
        deactivated, ["num_deac_req": "true", "last_valid_activity_time": "Thu, 01 Jan 2026 10:20:30 GMT"],
        232
      ),
      (#""risk":{"score":10}"#, ["num_deac_req": "true"], 290),
    ])
  func deactivation(record members: String, form: [String: String], status: Int) throws {
    try record(members)
    let fields = form.merging(["phone_number": TelesignWorld.number]) { $1 }
    let body = fields.map { "\($0.key)=\(PercentCoding.encode($0.value))" }.sorted()
    var headers = TelesignWorld.basic
    headers.add("Content-Type", "application/x-www-form-urlencoded")
    let exchange = try telesign.world.send(
      .to("/v1/verify/sms", .post, headers: headers, body: Array(body.joined(separator: "&").utf8)))

    if members == Self.deactivated, form == ["num_deac_req": "true"] {
      exchange.matches(golden: "deactivated")
    }
    #expect(try exchange.statusCode() == status)
    #expect(try telesign.progress(exchange.reference()) == status)
    let arrives = status == 290 && members != Self.deactivated
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty != arrives)
    #expect(exchange.unread.isEmpty)
    let found = try exchange.members().optionalObject("number_deactivation")
    #expect((found != nil) == (form["num_deac_req"] == "true"))
  }

  @Test("the account's feature asks for the check by default, and an add-on that is off finds nothing")
  func deactivationFeature() throws {
    try record(Self.deactivated)
    try telesign.configure(#""sms_verify.features":["number_deactivation"]"#)

    #expect(try telesign.sms().statusCode() == 232)
    #expect(try telesign.sms(TelesignWorld.number, ["num_deac_req": "false"]).statusCode() == 290)
    try telesign.configure(#""phoneid.disabled_addons":["number_deactivation"]"#)
    #expect(try telesign.sms().statusCode() == 290)
  }

  @Test(
    "invalid parameters of the check are rejected",
    arguments: [
      ("number_deactivation_action", "stop"), ("deactivation_lookup_window", "-1"),
      ("deactivation_lookup_window", "week"), ("last_valid_activity_time", "2026-01-01T00:00:00Z"),
    ])
  func invalidCheck(name: String, value: String) throws {
    let exchange = try telesign.post(
      "/v1/verify/sms", form: ["phone_number": TelesignWorld.number, name: value])

    #expect(try exchange.errorCodes() == "400 500 -10001")
    #expect(exchange.why?.hasPrefix("\(name): expected ") == true)
  }

  @Test(
    "a risk score above the account's limit blocks SMS Verify, the Verify API and omnichannel",
    arguments: [
      (#""risk":{"score":700}"#, true), (#""risk":{"score":600}"#, false), (#""simSwaps":["-1h"]"#, true),
    ])
  func risk(record members: String, isBlocked: Bool) throws {
    try record(members)
    #expect(try telesign.sms().statusCode() == 290)
    try telesign.configure(#""score.maximum":600"#)

    let sms = try telesign.sms()
    let verification = try telesign.create()
    let omnichannel = try send()

    #expect(try sms.statusCode() == (isBlocked ? 233 : 290))
    #expect(try verification.statusAndCode() == (isBlocked ? "400 3072" : "200 3901"))
    #expect(try omnichannel.statusAndCode() == (isBlocked ? "400 3072" : "200 3001"))
    #expect(try telesign.voice().statusCode() == 103)
    #expect(try telesign.smart(TelesignWorld.number, ["ignore_risk": "true"]).statusCode() == 290)
    guard isBlocked, members.contains("700") else { return }
    sms.matches(golden: "risk")
    verification.matches(golden: "risk-verification")
    #expect(verification.why == "the risk score is above the setting score.maximum")
    #expect(try telesign.progress(sms.reference()) == 233)
  }

  @Test(
    "the account's lists block messages and calls, each with its own code",
    arguments: [
      (#""account.blocked_numbers":["+15558675309"]"#, [229, 129, 2429, 3052]),
      (#""account.blocked_countries":["US"]"#, [237, 130, 2430, 3037]),
      (#""account.blocked_prefixes":["+1555"]"#, [238, 130, 2430, 3038]),
      (
        #""account.blocked_numbers":["+15558675300"],"account.blocked_countries":["FR"]"#,
        [290, 103, 2400, 3901]
      ),
    ])
  func lists(settings: String, codes: [Int]) throws {
    try telesign.configure(settings)

    let app = try telesign.app("initiate", ["phone_number": TelesignWorld.number])
    let found = [
      try telesign.sms().statusCode(), try telesign.voice().statusCode(), try app.statusCode(),
      try telesign.create().members().object("status").int("code"),
    ]

    #expect(found == codes)
    #expect(try app.members().optionalString("verify_code") == nil || codes[2] == 2400)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty == (codes[0] != 290))
    #expect(try telesign.sms("33639980050").statusCode() == (codes[0] == 290 ? 237 : 290))
  }

  @Test("the Voice API makes no calls to blocked countries")
  func voice() throws {
    func call(_ number: String) throws -> String {
      try telesign.post(
        "/v1/voice", form: ["phone_number": number, "message": "Hello", "message_type": "ARN"]
      ).statusAndCode()
    }
    try telesign.configure(#""account.blocked_countries":["FR"]"#)

    #expect(try call("33639980050") == "401 10034")
    #expect(try call(TelesignWorld.number) == "200 103")
    #expect(try telesign.inbox("33639980050").isEmpty)
  }

  private func send() throws -> Exchange {
    try telesign.send(
      .post, "/v1/omnichannel",
      json: #"""
        {"recipient":{"phone_number":"15558675309"},"message":{"sms":{"template":"text","parameters":{"text":"Hi"}}},
        "message_type":"ARN","channels":[{"channel":"sms"}]}
        """#)
  }
}
