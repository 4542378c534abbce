import Domain
import Support
import Testing

@Suite("Domain · results of a step")
struct AnswerTests {
  let world: World
  let relay: Relay

  init() throws {
    let relay = Relay()
    self.relay = relay
    world = try World(hooks: [relay.hooks])
  }

  private var sandbox: Sandbox { world.sandbox }

  @Test("a reaction of the device makes an offered step ongoing, and its receipts are saved")
  func takenUp() throws {
    let verification = try relay.start([(.push, 60), (.sms, 0)], in: sandbox)
    #expect(try sandbox.steps(of: verification) == ["push offered", "sms waiting"])

    let step = try #require(try sandbox.fallbacks.activeStep(of: verification))
    _ = try sandbox.fallbacks.save(.delivered, of: step)

    let now = try #require(try sandbox.fallbacks.activeStep(of: verification))
    #expect(now.state == .ongoing)
    #expect(now.receipt == .delivered)
  }

  @Test("an approval verifies the active step and skips the rest")
  func approved() throws {
    let verification = try relay.start([(.push, 60), (.sms, 0)], in: sandbox)

    _ = try sandbox.verifications.finish(verification, as: .approved)

    #expect(try sandbox.steps(of: verification) == ["push verified", "sms skipped"])
    #expect(relay.heard.last == "10:20:30.000 approved")
    try sandbox.advance(by: .seconds(400))
    #expect(relay.heard.last == "10:20:30.000 approved")
    #expect(try sandbox.messages.inbox(.init()).isEmpty)
  }

  @Test(
    "finishing the verification ends the active step",
    arguments: [
      (Verification.State.denied, ["push rejected", "sms skipped"]),
      (.canceled, ["push canceled", "sms skipped"]),
    ])
  func ended(state: Verification.State, steps: [String]) throws {
    let verification = try relay.start([(.push, 60), (.sms, 0)], in: sandbox)

    let after = try #require(try sandbox.verifications.finish(verification, as: state))

    #expect(try sandbox.steps(of: verification) == steps)
    #expect(try sandbox.fallbacks.activeStep(of: after) == nil)
  }

  @Test(
    "a failed step starts the next one at once",
    arguments: [
      (Step.Failure.mismatched, "silent failed: mismatched"), (.unreachable, "silent failed: unreachable"),
      (.denied, "silent rejected: denied"),
    ])
  func failed(failure: Step.Failure, words: String) throws {
    let verification = try relay.start([(.silent, 60), (.sms, 0)], in: sandbox)
    try sandbox.advance(by: .seconds(5))

    let step = try #require(try sandbox.fallbacks.activeStep(of: verification))
    try sandbox.fallbacks.fail(step, of: verification, for: failure)

    #expect(try sandbox.steps(of: verification) == [words, "sms ongoing"])
    #expect(relay.heard.last == "10:20:35.000 sms ongoing")
  }

  @Test("the timeout of a failed step does nothing later")
  func madeRoom() throws {
    let verification = try relay.start([(.silent, 60), (.sms, 60), (.call, 0)], in: sandbox)
    try sandbox.advance(by: .seconds(30))
    let step = try #require(try sandbox.fallbacks.activeStep(of: verification))
    try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)

    try sandbox.advance(by: .seconds(59))

    #expect(
      try sandbox.steps(of: verification) == [
        "silent failed: unreachable", "sms ongoing", "call waiting",
      ])
  }

  @Test("checks count for the whole verification, and too many end the active step")
  func exhausted() throws {
    let verification = try relay.start([(.whatsapp, 60), (.sms, 0)], in: sandbox)
    let first = try sandbox.check("0", of: verification, by: relay.rules)
    try sandbox.advance(by: .seconds(60))
    let rest = try ["0", "0", verification.code].map {
      try sandbox.check($0, of: verification, by: relay.rules)
    }

    #expect([first] + rest == ["wrongCode", "wrongCode", "checksExhausted", "checksExhausted"])
    #expect(try sandbox.steps(of: verification) == ["whatsapp failed: timeOver", "sms rejected"])
  }
}
