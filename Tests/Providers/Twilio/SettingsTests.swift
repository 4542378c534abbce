import Domain
import JSON
import Support
import Testing

@Suite("Twilio · settings", .contract("twilio-verify.md 17"))
struct SettingsTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

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
