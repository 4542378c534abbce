import Domain
import Support
import Testing

@Suite("Domain · verifications")
struct VerificationsTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox() }

  @Test("a second start while one waits sends the same code again")
  func resend() throws {
    let first = try start()
    let second = try start()

    guard case .created(let created) = first, case .resent(let resent) = second else {
      Issue.record("expected created and resent, got \(first) and \(second)")
      return
    }
    #expect(resent.ordinal == created.ordinal)
    #expect(resent.code == created.code)
  }

  private func start() throws -> Verifications.StartOutcome {
    let claim = Claim(provider: "twilio", owner: "VA1", destination: "+12025550100")
    return try world.sandbox.verifications.start(
      Verifications.Start(claim, over: .sms, rules: VerificationRules()) { verification in
        MessageDraft(
          provider: "twilio", reference: "ref", channel: .sms, destination: "+12025550100", sender: "S",
          text: verification.code, code: verification.code)
      })
  }
}
