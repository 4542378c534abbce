import Domain
import Support
import Testing

@Suite("Twilio · messages", .contract("twilio-verify.md 4.4"))
struct MessageTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("with --numbers safe-only, a real number is an invalid parameter")
  func strangers() throws {
    let strict = try TwilioWorld(numbers: .safeOnly)

    let answer = try strict.create(to: "+14155551234")

    #expect(answer.answer.hasPrefix("400 "))
    #expect(answer.answer.contains("Invalid parameter `To`: +14155551234"))
    #expect(try strict.sandbox.messages.submitted(.init()) == [])
    #expect(try strict.started().status == "pending")
    #expect(try strict.started(to: "ana@example.test", over: "email").status == "pending")
    #expect(try twilio.started(to: "+14155551234").status == "pending")
  }
}
