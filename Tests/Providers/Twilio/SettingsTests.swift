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
}
