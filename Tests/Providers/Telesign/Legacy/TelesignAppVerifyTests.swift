import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · App Verify", .contract("telesign.md 8"))
struct TelesignAppVerifyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func initiate(_ number: String = TelesignWorld.number) throws -> String {
    try telesign.app("initiate", ["phone_number": number]).reference()
  }

  private func status(_ reference: String) throws -> Exchange {
    try telesign.get("/v1/verify/auto/voice/\(reference)")
  }

  @Test("a call comes from a number that ends in the code, and is not answered")
  func initiation() throws {
    let exchange = try telesign.app("initiate", ["phone_number": TelesignWorld.number])

    exchange.matches(golden: "pending")
    let body = try exchange.members()
    let (prefix, code) = (try body.string("prefix"), try body.string("verify_code"))
    let call = try #require(try telesign.inbox(TelesignWorld.number).first)
    #expect(call.sender == prefix + code && call.code == code && code.count == 5)
    #expect(try telesign.transcript() == ["network (ringing)", "network (nobody answers)"])
    try telesign.advance(1)
    #expect(try status(exchange.reference()).statusCode() == 2400)
  }

  @Test("the right code or no code is a success, a wrong one a failure; there is no second attempt")
  func finalization() throws {
    let first = try initiate()
    let right = try telesign.app("finalize", ["reference_id": first, "verify_code": telesign.code()])
    let wrong = try telesign.app("finalize", ["reference_id": initiate(), "verify_code": "0"])
    let bare = try telesign.app("finalize", ["reference_id": initiate()])
    let again = try telesign.app("finalize", ["reference_id": first])

    right.matches(golden: "success")
    wrong.matches(golden: "failure")
    again.matches(golden: "again")
    #expect(try [right, wrong, bare].map { try $0.statusCode() } == [2401, 2402, 2401])
    #expect(try again.errorCodes() == "400 500 -30014")
    let shown = try status(first)
    shown.matches(golden: "success")
    #expect(try shown.statusCode() == 2401)
    #expect(try telesign.status(first).statusCode() == 2401)
  }

  @Test("the newest verification with an id of the customer's own is found by it, until it expires")
  func externalID() throws {
    func fetch(_ externalID: String) throws -> Exchange {
      try telesign.get("/v1/mobile/verification/status/\(externalID)")
    }
    _ = try telesign.app("initiate", ["phone_number": TelesignWorld.number, "external_id": "mine"])
    let newest = try telesign.app("initiate", ["phone_number": TelesignWorld.number, "external_id": "mine"])

    let found = try fetch("mine")
    found.matches(golden: "pending")
    #expect(try found.reference() == newest.reference())
    try fetch("nobody").matches(golden: "unknown")
    try telesign.advance(24 * 3600)
    #expect(try fetch("mine").errorCodes() == "404 599 -10004")
    _ = try telesign.app("initiate", ["phone_number": TelesignWorld.number, "external_id": "other"])
    #expect(try fetch("mine").errorCodes() == "404 599 -40004")
  }

  @Test("an app reports an unknown caller id, or a missing call")
  func reports() throws {
    let (one, two) = (try initiate(), try initiate())

    let caller = try telesign.app(
      "finalize/callerid", ["reference_id": one, "unknown_caller_id": "123456789"])
    let timeout = try telesign.app("finalize/timeout", ["reference_id": two])
    let again = try telesign.app("finalize/timeout", ["reference_id": two])
    let bare = try telesign.app("finalize/callerid", ["reference_id": one])

    caller.matches(golden: "reported")
    timeout.matches(golden: "reported")
    again.matches(golden: "again")
    bare.matches(golden: "no-caller")
    #expect(try caller.statusCode() == 2407 && timeout.statusCode() == 2409)
    #expect(try status(one).statusCode() == 2407 && status(two).statusCode() == 2409)
    #expect(try again.errorCodes() == "400 500 -30014")
    #expect(try bare.errorCodes() == "400 500 -10001")
  }

  @Test("an expired code is a failure")
  func late() throws {
    let reference = try initiate()
    let code = try telesign.code()
    try telesign.advance(301)

    let late = try telesign.app("finalize", ["reference_id": reference, "verify_code": code])

    #expect(try late.statusCode() == 2402)
  }

  @Test(
    "a call that is not connected has failed",
    arguments: [("busy", 2411), ("unreachable", 2411), ("answer", 2400), ("noAnswer", 2400)])
  func failures(outcome: String, code: Int) throws {
    try telesign.seed(#"{"scenarios":[{"match":{"channel":"call"},"outcome":"\#(outcome)"}]}"#)
    let reference = try initiate()
    try telesign.advance(1)

    #expect(try status(reference).statusCode() == code)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty == (code == 2411))
  }

  @Test("invalid numbers and landlines are not called")
  func noHandset() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675310","lineType":"landline"}]}"#)

    let invalid = try telesign.app("initiate", ["phone_number": "15558670010"])
    let fixed = try telesign.app("initiate", ["phone_number": "15558675310"])

    fixed.matches(golden: "fixed-line")
    #expect(try invalid.statusCode() == 2404 && fixed.statusCode() == 2408)
    #expect(try telesign.inbox("15558675310").isEmpty)
    #expect(try status(fixed.reference()).statusCode() == 2408)
    let again = try telesign.app("finalize", ["reference_id": fixed.reference()])
    #expect(try again.errorCodes() == "400 500 -30014")
  }

  @Test("a blocked number is not called")
  func blocked() throws {
    #expect(try status(initiate("15558670230")).statusCode() == 2430)
  }

  @Test(
    "invalid parameters are rejected, and no call is made",
    arguments: [
      ("phone_number", "abc"), ("verify_code", "123"), ("verify_code", "12a45"),
      ("verification_timeout", "46"),
      ("verification_timeout", "soon"), ("verification_timeout", "0"),
    ])
  func invalid(name: String, value: String) throws {
    let exchange = try telesign.app("initiate", ["phone_number": TelesignWorld.number, name: value])

    if value == "46" { exchange.matches(golden: "invalid-timeout") }
    #expect(try exchange.errorCodes() == "400 500 -10001")
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test("unknown ids and those of other products are rejected")
  func references() throws {
    let unknown = try status(String(repeating: "F", count: 32))
    let sms = try status(telesign.sms().reference())

    unknown.matches(golden: "unknown-reference")
    #expect(try unknown.errorCodes() == "404 599 -40004")
    #expect(try sms.errorCodes() == "404 599 -40004")
    #expect(try telesign.app("finalize", ["reference_id": "xyz"]).errorCodes() == "400 500 -10001")
    #expect(try telesign.app("finalize", ["x": "y"]).errorCodes() == "400 500 -10001")
  }
}
