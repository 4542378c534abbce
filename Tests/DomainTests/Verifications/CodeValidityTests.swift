import Basics
import Domain
import Support
import Testing

@Suite("Domain · validity of codes")
struct CodeValidityTests {
  let world: World
  let relay: Relay

  init() throws {
    let relay = Relay()
    self.relay = relay
    world = try World(hooks: [relay.hooks])
  }

  private var sandbox: Sandbox { world.sandbox }

  @Test("each attempt starts a new validity period, and extends the verification")
  func anew() throws {
    let (one, other) = (
      try relay.start([(.whatsapp, 60), (.sms, 0)], in: sandbox),
      try relay.start([(.whatsapp, 60), (.sms, 0)], in: sandbox)
    )

    try sandbox.advance(by: .milliseconds(359_999))
    #expect(try sandbox.check(one.code, of: one, by: relay.rules) == "approved")

    try sandbox.advance(by: .milliseconds(1))
    #expect(
      try sandbox.check(other.code, of: other, by: relay.rules)
        == "nothingPending: the verification expired at 2026-01-05T10:26:30Z")
  }

  @Test("a code can expire before its verification")
  func stale() throws {
    relay.rules.codeValidity = .seconds(60)
    let verification = try relay.start([(.sms, 0)], in: sandbox)

    try sandbox.advance(by: .seconds(60))

    #expect(
      try sandbox.check(verification.code, of: verification, by: relay.rules)
        == "nothingPending: the last code expired at 2026-01-05T10:21:30Z")
    try sandbox.advance(by: .seconds(240))
    #expect(
      try sandbox.check(verification.code, of: verification, by: relay.rules)
        == "nothingPending: the verification expired at 2026-01-05T10:25:30Z")
  }

  @Test("an expired code does not count as a check")
  func uncounted() throws {
    relay.rules.codeValidity = .seconds(60)
    let verification = try relay.start([(.sms, 0)], in: sandbox)
    try sandbox.advance(by: .seconds(60))

    for _ in 1...5 { _ = try sandbox.check("0", of: verification, by: relay.rules) }

    #expect(try sandbox.verifications.find(verification.ordinal)?.checks == 0)
  }

  @Test("before the first attempt no code is accepted, not even a custom one")
  func unsent() throws {
    let verification = try relay.start([(.push, 60), (.sms, 0)], in: sandbox, code: "0042")

    #expect(
      try sandbox.check("0042", of: verification, by: relay.rules)
        == "nothingPending: no code was sent yet; the current channel is push")
    try sandbox.advance(by: .seconds(60))
    #expect(try sandbox.check("42", of: verification, by: relay.rules) == "wrongCode")
    #expect(try sandbox.check("0042", of: verification, by: relay.rules) == "approved")
  }

  @Test("the last wrong check locks if the rules say so, else the check after it")
  func lastMiss() throws {
    var lenient = relay.rules
    lenient.locksOnLastFailure = false
    let (one, other) = (
      try relay.start([(.sms, 0)], in: sandbox), try relay.start([(.sms, 0)], in: sandbox)
    )

    let strict = try (1...4).map { _ in try sandbox.check("0", of: one, by: relay.rules) }
    let usual = try (1...4).map { _ in try sandbox.check("0", of: other, by: lenient) }

    #expect(strict == ["wrongCode", "wrongCode", "checksExhausted", "checksExhausted"])
    #expect(usual == ["wrongCode", "wrongCode", "wrongCode", "checksExhausted"])
  }

  @Test("the right code is accepted at the last check")
  func lastHit() throws {
    let verification = try relay.start([(.sms, 0)], in: sandbox)

    for _ in 1...2 { _ = try sandbox.check("0", of: verification, by: relay.rules) }

    #expect(try sandbox.check(verification.code, of: verification, by: relay.rules) == "approved")
  }

  @Test("verifications started together expire at their own times, whether the expiry has moved or not")
  func ends() throws {
    for digit in 1...4 {
      let legs: [(Channel, Int)] = digit.isMultiple(of: 2) ? [(.whatsapp, 60), (.sms, 0)] : [(.sms, 0)]
      _ = try relay.start(legs, in: sandbox, to: "+1202555010\(digit)")
    }
    var long = VerificationRules()
    long.lifetime = .seconds(360)
    try world.start("+12025550105", rules: long)

    try sandbox.advance(by: .seconds(1000))

    let ends = try sandbox.events.after(0).filter { $0.kind == .verificationExpired }
      .map { "\($0.at.iso8601.dropFirst(11).dropLast()) \($0.destination.suffix(1))" }
    #expect(ends.sorted() == ["10:25:30 1", "10:25:30 3", "10:26:30 2", "10:26:30 4", "10:26:30 5"])
  }

  @Test("starts that do not resend leave the pending verification alone")
  func startsAlone() throws {
    var rules = VerificationRules()
    rules.resendsWhilePending = false
    let first = try world.start(rules: rules).parts
    let second = try world.start(rules: rules).parts

    #expect([first.name, second.name] == ["created", "created"])
    #expect(first.verification.code != second.verification.code)
  }
}
