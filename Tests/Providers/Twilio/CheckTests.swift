import HTTP
import Support
import Testing

@Suite("Twilio · VerificationCheck and update", .contract("twilio-verify.md 4.2, 4.3"))
struct CheckTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("a check by SID approves")
  func bySid() throws {
    let verification = try twilio.started()

    let exchange = try twilio.post(
      TwilioWorld.check, ["VerificationSid": verification.sid, "Code": try twilio.code()])

    exchange.matches(golden: "by-sid")
    #expect(try exchange.decode(CheckAnswer.self).status == "approved")
  }

  @Test("the SID wins over To")
  func sidDecides() throws {
    let verification = try twilio.started()
    _ = try twilio.started(to: "+12025550101")

    let check = try twilio.post(
      TwilioWorld.check,
      ["To": "+12025550101", "VerificationSid": verification.sid, "Code": try twilio.code()]
    ).decode(CheckAnswer.self)

    #expect(check.to == TwilioWorld.number)
    #expect(check.status == "approved")
  }

  @Test("a check without To and SID is 60221")
  func noTarget() throws {
    let exchange = try twilio.post(TwilioWorld.check, ["Code": "123456"])

    exchange.matches(golden: "no-target")
    #expect(exchange.answer == errorAnswer(400, 60221, "No target verification specified"))
  }

  @Test(
    "a check without a code of 4 to 10 characters is 60200 and does not count as a check",
    arguments: ["", "123", "12345678901"])
  func badCode(code: String) throws {
    _ = try twilio.started()
    let expected = errorAnswer(400, 60200, "Invalid parameter: Code")

    for _ in 0..<6 { #expect(try twilio.check(code).answer == expected) }

    if code.isEmpty { try twilio.check(code).matches(golden: "no-code") }
    #expect(try twilio.check(try twilio.code()).decode(CheckAnswer.self).status == "approved")
  }

  @Test("a SID of another Service, or of another kind, is not found")
  func foreignSid() throws {
    let verification = try twilio.started()
    let service = try twilio.post(TwilioWorld.services, ["FriendlyName": "Other"]).decode(ServiceAnswer.self)
    let path = "\(TwilioWorld.services)/\(service.sid)/VerificationCheck"

    let exchange = try twilio.post(path, ["VerificationSid": verification.sid, "Code": try twilio.code()])

    #expect(exchange.answer == notFound(path))
    for name in ["VE00000000000000000000000000000001", TwilioWorld.service, "nobody"] {
      #expect(try twilio.fetch(name).answer == notFound("\(TwilioWorld.verifications)/\(name)"))
    }
  }

  @Test(
    "a plus in a path may be raw or escaped",
    arguments: ["+12025550100", "%2B12025550100", "%2b12025550100"])
  func plus(name: String) throws {
    let verification = try twilio.started()

    #expect(try twilio.fetch(name).decode(VerificationAnswer.self).sid == verification.sid)
  }

  @Test(
    "a verification is fetched by its number", .contract("twilio-verify.md 1.3"),
    arguments: [("+", "by-raw-number"), ("%2B", "by-number")])
  func byNumber(plus: String, golden: String) throws {
    _ = try twilio.started()

    try twilio.fetch("\(plus)12025550100").matches(golden: golden)
  }

  @Test(
    "an email address in a path may be raw or escaped",
    arguments: ["ana@example.test", "ana%40example.test"])
  func emailInPath(name: String) throws {
    let verification = try twilio.started(to: "ana@example.test", over: "email")

    #expect(try twilio.fetch(name).decode(VerificationAnswer.self).sid == verification.sid)
  }

  @Test(
    "an update accepts only the statuses canceled and approved",
    arguments: ["", "pending", "expired", "Approved", "deleted"])
  func badStatus(status: String) throws {
    let verification = try twilio.started()

    let exchange = try twilio.update(verification.sid, to: status)

    if status == "pending" { exchange.matches(golden: "bad-status") }
    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter: Status"))
    #expect(try twilio.fetch().decode(VerificationAnswer.self).status == "pending")
  }

  @Test("an update by number ends the newest verification")
  func updateByNumber() throws {
    let verification = try twilio.started()

    let update = try twilio.update(to: "canceled").decode(VerificationAnswer.self)

    #expect(update.sid == verification.sid)
    #expect(update.status == "canceled")
  }

  @Test("a leading zero is part of a code")
  func leadingZero() throws {
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","code":"012345"}]}"#)
    _ = try twilio.started()

    #expect(try twilio.check("12345").decode(CheckAnswer.self).status == "pending")
    #expect(try twilio.check("012345").decode(CheckAnswer.self).status == "approved")
  }
}
