import Domain
import JSON
import Support
import Testing

@Suite("Twilio · settings", .contract("twilio-verify.md 17"))
struct SettingsTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("publicBaseURL stands in every link")
  func publicBaseURL() throws {
    try twilio.turn(#""publicBaseURL":"https://verify.twilio.com""#)
    let base = "https://verify.twilio.com/v2/Services"

    let page = try twilio.get(TwilioWorld.services).decode(ServicePage.self)
    let service = try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)").decode(ServiceAnswer.self)
    let verification = try twilio.started()

    #expect(page.this == "\(base)?PageSize=50&Page=0")
    #expect(service.text("url") == "\(base)/\(TwilioWorld.service)")
    #expect(verification.url == "\(base)/\(TwilioWorld.service)/Verifications/\(verification.sid)")
  }

  @Test("checkStatusCode makes checks answer 201")
  func checkStatusCode() throws {
    try twilio.turn(#""checkStatusCode":201"#)
    _ = try twilio.started()

    #expect(try twilio.check("0000").answer.hasPrefix("201 {"))
    let approved = try twilio.check(try twilio.code())
    approved.matches(golden: "approved-201")
    #expect(approved.answer.hasPrefix("201 {"))
  }

  @Test("notFoundPathStyle leaves the version out of the text")
  func notFoundPathStyle() throws {
    try twilio.turn(#""notFoundPathStyle":"/Services/...""#)
    let service = "/Services/\(TwilioWorld.service)"

    #expect(try twilio.check("123456").answer == notFound("\(service)/VerificationCheck"))
    #expect(try twilio.fetch("VE1").answer == notFound("\(service)/Verifications/VE1"))
    #expect(try twilio.get("\(TwilioWorld.services)/VA1").answer == notFound("/Services/VA1"))
    #expect(
      try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)/Webhooks").answer
        == notFound("\(service)/Webhooks"))
    #expect(try twilio.get("/twilio/v2/Nothing").answer == notFound("/Nothing"))
  }

  @Test("ttlSeconds says how long a verification waits")
  func ttl() throws {
    try twilio.turn(#""ttlSeconds":120"#)
    _ = try twilio.started()
    try twilio.advance(119)
    #expect(try twilio.fetch().decode(VerificationAnswer.self).status == "pending")

    try twilio.advance(1)

    #expect(try twilio.check(try twilio.code()).answer == notFound(TwilioWorld.check))
  }

  @Test("maxChecks says which check is one too many")
  func maxChecks() throws {
    try twilio.turn(#""maxChecks":2"#)
    _ = try twilio.started()
    try twilio.checkWrongly(2)

    #expect(try twilio.check(try twilio.code()).answer == refused(429, 60202, "Max check attempts reached"))
  }

  @Test("maxSends and sendWindowSeconds say which create is one too many")
  func maxSends() throws {
    try twilio.turn(#""maxSends":2,"sendWindowSeconds":30"#)
    _ = try twilio.started()
    _ = try twilio.started()
    #expect(try twilio.create().answer == refused(429, 60203, "Max send attempts reached"))

    try twilio.advance(30)

    #expect(try twilio.started().attempts.count == 3)
  }

  @Test("customCodeWhenDisabled ignore sends a code of its own")
  func customCodeWhenDisabled() throws {
    try twilio.turn(#""customCodeWhenDisabled":"ignore""#)

    let exchange = try twilio.post(
      TwilioWorld.verifications, ["To": TwilioWorld.number, "Channel": "sms", "CustomCode": "8312"])

    #expect(try exchange.decode(VerificationAnswer.self).status == "pending")
    #expect(try twilio.code() != "8312")
  }

  @Test("checkWithoutPending 60200 changes the refusal of a check that finds nothing")
  func checkWithoutPending() throws {
    try twilio.turn(#""checkWithoutPending":"60200""#)

    let exchange = try twilio.check("123456")

    exchange.matches(golden: "never-started-60200")
    #expect(exchange.answer == refused(400, 60200, "Invalid parameter `To`: \(TwilioWorld.number)"))
  }

  @Test("checkWithoutPending 60200 names the SID where that was asked for")
  func checkWithoutPendingBySid() throws {
    try twilio.turn(#""checkWithoutPending":"60200""#)

    let exchange = try twilio.post(
      TwilioWorld.check, ["VerificationSid": "VE00000000000000000000000000000001", "Code": "123456"])

    #expect(
      exchange.answer
        == refused(400, 60200, "Invalid parameter `VerificationSid`: VE00000000000000000000000000000001"))
  }

  @Test("fetchAfterMaxAttempts deleted hides what was checked too often")
  func fetchAfterMaxAttempts() throws {
    try twilio.turn(#""fetchAfterMaxAttempts":"deleted""#)
    _ = try twilio.started()
    try twilio.checkWrongly(5)
    _ = try twilio.check("0000")

    #expect(try twilio.fetch().answer == notFound("\(TwilioWorld.verifications)/\(TwilioWorld.number)"))
    #expect(try twilio.check("0000").answer == refused(429, 60202, "Max check attempts reached"))
  }

  @Test("attemptChannelCase upper changes the attempts only")
  func attemptChannelCase() throws {
    try twilio.turn(#""attemptChannelCase":"upper""#)

    let verification = try twilio.started()

    #expect(verification.attempts.map(\.channel) == ["SMS"])
    #expect(verification.channel == "sms")
  }

  @Test("lookupWhenDisabled empty leaves the carrier out")
  func lookupWhenDisabled() throws {
    try twilio.turn(#""lookupWhenDisabled":"empty""#)

    #expect(try twilio.started().lookup == .object([]))
  }

  @Test("a setting stays as it was when another is turned, and an export brings all of them back")
  func kept() throws {
    try twilio.turn(#""maxChecks":2"#)
    try twilio.turn(#""checkStatusCode":201"#)

    let settings = try twilio.world.sandboxes.seeds.export(from: twilio.sandbox)["twilio"]?["settings"]

    #expect(settings?["maxChecks"] == .integer(2))
    #expect(settings?["checkStatusCode"] == .integer(201))
    #expect(settings?["ttlSeconds"] == .integer(600))
  }

  @Test(
    "a setting that cannot be is refused by its path",
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
      (#""maxCheks":3"#, "twilio.settings.maxCheks"),
      (#""publicBaseURL":"verify.twilio.com""#, "$.twilio.settings.publicBaseURL"),
    ])
  func refusing(setting: String, path: String) throws {
    let error = #expect(throws: FieldError.self) { try twilio.turn(setting) }

    #expect(error?.path == path)
  }
}
