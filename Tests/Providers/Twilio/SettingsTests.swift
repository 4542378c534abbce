import Domain
import JSON
import Support
import Testing

@Suite("Twilio · settings", .contract("twilio-verify.md 17"))
struct SettingsTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("publicBaseURL is the base of every link")
  func publicBaseURL() throws {
    try twilio.configure(#""publicBaseURL":"https://verify.twilio.com""#)
    let base = "https://verify.twilio.com/v2/Services"

    let page = try twilio.get(TwilioWorld.services).decode(ServicePage.self)
    let service = try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)").decode(ServiceAnswer.self)
    let verification = try twilio.started()

    #expect(page.this == "\(base)?PageSize=50&Page=0")
    #expect(service.text("url") == "\(base)/\(TwilioWorld.service)")
    #expect(verification.url == "\(base)/\(TwilioWorld.service)/Verifications/\(verification.sid)")
  }

  @Test("checkStatusCode 201 changes the status of checks")
  func checkStatusCode() throws {
    try twilio.configure(#""checkStatusCode":201"#)
    _ = try twilio.started()

    #expect(try twilio.check("0000").answer.hasPrefix("201 {"))
    let approved = try twilio.check(try twilio.code())
    approved.matches(golden: "approved-201")
    #expect(approved.answer.hasPrefix("201 {"))
  }

  @Test("notFoundPathStyle can leave out the version")
  func notFoundPathStyle() throws {
    try twilio.configure(#""notFoundPathStyle":"/Services/...""#)
    let service = "/Services/\(TwilioWorld.service)"

    #expect(try twilio.check("123456").answer == notFound("\(service)/VerificationCheck"))
    #expect(try twilio.fetch("VE1").answer == notFound("\(service)/Verifications/VE1"))
    #expect(try twilio.get("\(TwilioWorld.services)/VA1").answer == notFound("/Services/VA1"))
    #expect(
      try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)/Webhooks/YW1").answer
        == notFound("\(service)/Webhooks/YW1"))
    #expect(try twilio.get("/twilio/v2/Nothing").answer == notFound("/Nothing"))
  }

  @Test("ttlSeconds sets how long a verification is pending")
  func ttl() throws {
    try twilio.configure(#""ttlSeconds":120"#)
    _ = try twilio.started()
    try twilio.advance(119)
    #expect(try twilio.fetch().decode(VerificationAnswer.self).status == "pending")

    try twilio.advance(1)

    #expect(try twilio.check(try twilio.code()).answer == notFound(TwilioWorld.check))
  }

  @Test("maxChecks sets how many checks are allowed")
  func maxChecks() throws {
    try twilio.configure(#""maxChecks":2"#)
    _ = try twilio.started()
    try twilio.checkWrongly(2)

    #expect(
      try twilio.check(try twilio.code()).answer == errorAnswer(429, 60202, "Max check attempts reached"))
  }

  @Test("maxSends and sendWindowSeconds set how many sends are allowed")
  func maxSends() throws {
    try twilio.configure(#""maxSends":2,"sendWindowSeconds":30"#)
    _ = try twilio.started()
    _ = try twilio.started()
    #expect(try twilio.create().answer == errorAnswer(429, 60203, "Max send attempts reached"))

    try twilio.advance(30)

    #expect(try twilio.started().attempts.count == 3)
  }

  @Test("customCodeWhenDisabled ignore sends a generated code")
  func customCodeWhenDisabled() throws {
    try twilio.configure(#""customCodeWhenDisabled":"ignore""#)

    let exchange = try twilio.post(
      TwilioWorld.verifications, ["To": TwilioWorld.number, "Channel": "sms", "CustomCode": "8312"])

    #expect(try exchange.decode(VerificationAnswer.self).status == "pending")
    #expect(try twilio.code() != "8312")
  }

  @Test("checkWithoutPending 60200 changes the error of a check without a pending verification")
  func checkWithoutPending() throws {
    try twilio.configure(#""checkWithoutPending":"60200""#)

    let exchange = try twilio.check("123456")

    exchange.matches(golden: "never-started-60200")
    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter `To`: \(TwilioWorld.number)"))
  }

  @Test("checkWithoutPending 60200 names the parameter VerificationSid if it was given")
  func checkWithoutPendingBySid() throws {
    try twilio.configure(#""checkWithoutPending":"60200""#)

    let exchange = try twilio.post(
      TwilioWorld.check, ["VerificationSid": "VE00000000000000000000000000000001", "Code": "123456"])

    #expect(
      exchange.answer
        == errorAnswer(400, 60200, "Invalid parameter `VerificationSid`: VE00000000000000000000000000000001"))
  }

  @Test("fetchAfterMaxAttempts deleted hides a verification after too many checks")
  func fetchAfterMaxAttempts() throws {
    try twilio.configure(#""fetchAfterMaxAttempts":"deleted""#)
    _ = try twilio.started()
    try twilio.checkWrongly(5)
    _ = try twilio.check("0000")

    #expect(try twilio.fetch().answer == notFound("\(TwilioWorld.verifications)/\(TwilioWorld.number)"))
    #expect(try twilio.check("0000").answer == errorAnswer(429, 60202, "Max check attempts reached"))
  }

  @Test("attemptChannelCase upper changes only the attempts")
  func attemptChannelCase() throws {
    try twilio.configure(#""attemptChannelCase":"upper""#)

    let verification = try twilio.started()

    #expect(verification.attempts.map(\.channel) == ["SMS"])
    #expect(verification.channel == "sms")
  }

  @Test("lookupWhenDisabled empty leaves out the carrier")
  func lookupWhenDisabled() throws {
    try twilio.configure(#""lookupWhenDisabled":"empty""#)

    #expect(try twilio.started().lookup == .object([]))
  }

  @Test("changing one setting keeps the others, and an export has all")
  func kept() throws {
    try twilio.configure(#""maxChecks":2"#)
    try twilio.configure(#""checkStatusCode":201"#)

    let settings = try twilio.world.sandboxes.seeds.export(from: twilio.sandbox)["twilio"]?["settings"]

    #expect(settings?["maxChecks"] == .integer(2))
    #expect(settings?["checkStatusCode"] == .integer(201))
    #expect(settings?["ttlSeconds"] == .integer(600))
  }

  @Test(
    "the error of a bad setting has the path",
    arguments: [
      (#""ttlSeconds":119"#, "$.twilio.settings.ttlSeconds"),
      (#""ttlSeconds":86401"#, "$.twilio.settings.ttlSeconds"),
      (#""checkStatusCode":202"#, "$.twilio.settings.checkStatusCode"),
      (#""maxChecks":0"#, "$.twilio.settings.maxChecks"),
      (#""maxSends":"5""#, "$.twilio.settings.maxSends"),
      (#""sendWindowSeconds":0"#, "$.twilio.settings.sendWindowSeconds"),
      (#""customCodeWhenDisabled":"accept""#, "$.twilio.settings.customCodeWhenDisabled"),
      (#""checkWithoutPending":20404"#, "$.twilio.settings.checkWithoutPending"),
      (#""attemptChannelCase":"Lower""#, "$.twilio.settings.attemptChannelCase"),
      (#""maxCheks":3"#, "$.twilio.settings.maxCheks"),
      (#""publicBaseURL":"verify.twilio.com""#, "$.twilio.settings.publicBaseURL"),
    ])
  func refusing(setting: String, path: String) throws {
    let error = #expect(throws: FieldError.self) { try twilio.configure(setting) }

    #expect(error?.path == path)
  }
}
