import Basics
import Domain
import Numbers
import Support
import Testing

@Suite("Domain · verifications")
struct VerificationsTests {
  let world: World
  var sandbox: Sandbox { world.sandbox }

  init() throws { world = try World() }

  // MARK: Start

  @Test("a first start creates a verification for ten minutes and sends its code")
  func starting() throws {
    let (name, verification) = try world.start().parts

    #expect(name == "created")
    #expect(verification == (try sandbox.verifications.find(verification.ordinal)))
    #expect(verification.claim == Claim(provider: "acme", owner: "shop", destination: "+12025550100"))
    #expect(verification.code == "413618")
    #expect([verification.series, verification.checks] == [1, 0])
    #expect(verification.state == .pending)
    #expect(verification.channel == .sms)
    #expect([verification.createdAt, verification.updatedAt] == [TestSandbox.start, TestSandbox.start])
    #expect(verification.expiresAt == TestSandbox.start + .seconds(600))
    #expect(verification.details.text == "{}")
    #expect(try sandbox.texts() == ["Your code is 413618"])
    #expect(try sandbox.story == ["10:20:30.000 verification.started +12025550100"])
  }

  @Test("a second start sends the pending code again, over its own channel")
  func resending() throws {
    let created = try world.start().parts.verification
    try sandbox.advance(by: .seconds(60))

    let (name, resent) = try world.start(over: .call).parts

    #expect(name == "resent")
    #expect(resent.ordinal == created.ordinal)
    #expect(resent.code == created.code)
    #expect(resent.channel == .call)
    #expect(resent.updatedAt == TestSandbox.start + .seconds(60))
    #expect(resent.expiresAt == created.expiresAt)
    #expect(resent == (try sandbox.newest()))
    #expect(try sandbox.texts() == ["Your code is 413618", "Your code is 413618"])
    #expect(
      try sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent, .messageSent])
  }

  @Test("each attempt is recorded with its channel and time")
  func attempts() throws {
    try world.start()
    try sandbox.advance(by: .seconds(60))
    let verification = try world.start(over: .call).parts.verification

    #expect(
      verification.attempts.all.map { "\($0.number) \($0.channel.rawValue) \($0.sentAt.iso8601)" } == [
        "1 sms 2026-01-05T10:20:30Z", "2 call 2026-01-05T10:21:30Z",
      ])
  }

  @Test("resending does not extend the lifetime")
  func resendingKeepsTheEnd() throws {
    try world.start()
    try sandbox.advance(by: .seconds(599))
    try world.start()

    try sandbox.advance(by: .seconds(1))

    #expect(try sandbox.newest()?.state == .expired)
  }

  @Test("beyond the limit, a start sends nothing")
  func sendLimit() throws {
    let names = try (1...7).map { _ in try world.start().parts.name }

    #expect(names == ["created", "resent", "resent", "resent", "resent", "sendsExhausted", "sendsExhausted"])
    #expect(try sandbox.texts().count == 5)
    #expect(try sandbox.newest()?.attempts.all.count == 5)
  }

  @Test("an attempt counts until its window has passed")
  func sendWindow() throws {
    var rules = VerificationRules()
    rules.sendLimit = 2
    rules.sendWindow = .seconds(60)
    try world.start(rules: rules)
    try sandbox.advance(by: .seconds(10))
    try world.start(rules: rules)

    try sandbox.advance(by: .milliseconds(49_999))
    let before = try world.start(rules: rules).parts.name
    try sandbox.advance(by: .milliseconds(1))
    let after = try world.start(rules: rules).parts.name

    #expect([before, after] == ["sendsExhausted", "resent"])
  }

  @Test("a number's verifications are counted across owners, so that their codes differ")
  func seriesAcrossOwners() throws {
    let one = try world.start(owner: "shop").parts.verification
    let two = try world.start(owner: "bank").parts.verification
    let three = try world.start("+12025550101", owner: "shop").parts.verification

    #expect([one.series, two.series, three.series] == [1, 2, 1])
    #expect([one.code, two.code] == ["413618", "378376"])
  }

  @Test("a start of one owner does not change another's verification")
  func owners() throws {
    try world.start(owner: "shop")
    try world.start(owner: "bank")

    #expect(try world.start(owner: "shop").parts.name == "resent")
    #expect(try sandbox.check("413618", owner: "shop").name == "approved")
    #expect(try sandbox.newest(owner: "bank")?.state == .pending)
  }

  @Test("two starts for one number in one tick are one verification")
  func concurrentStarts() throws {
    let outcomes = try (0..<5).map { _ in try world.sandbox.atomically { try world.start().parts } }
    try world.sandboxes.commit()

    #expect(Set(outcomes.map(\.verification.ordinal)).count == 1)
    #expect(Set(outcomes.map(\.verification.code)) == ["413618"])
  }

  @Test("a custom code is used, and a resend may have another")
  func customCode() throws {
    let first = try world.start(code: "4711").parts.verification
    let second = try world.start(code: "0815").parts.verification

    #expect([first.code, second.code] == ["4711", "0815"])
    #expect(try sandbox.check("4711").name == "wrongCode")
    #expect(try sandbox.check("0815").name == "approved")
  }

  @Test("a subscriber's fixed code is used for every verification")
  func pinnedCode() throws {
    var subscriber = Subscriber(happyLineOf: try #require(PhoneNumber("+12025550100")))
    subscriber.code = "123456"
    try sandbox.subscribers.keep(subscriber)

    let first = try world.start().parts.verification
    try sandbox.check("123456")
    let second = try world.start().parts.verification

    #expect([first.code, second.code] == ["123456", "123456"])
  }

  @Test("an email address has verifications as well")
  func email() throws {
    let verification = try world.start("ada@example.com", over: .email).parts.verification

    #expect(
      verification.code
        == sandbox.entropy.code(length: 6, for: "ada@example.com", provider: "acme", series: 1))
  }

  // MARK: Check

  @Test("the right code approves, once")
  func approval() throws {
    try world.start()
    try sandbox.advance(by: .seconds(5))

    let names = try (1...2).map { _ in try sandbox.check("413618").name }

    #expect(names == ["approved", "nothingPending: the verification was approved at 2026-01-05T10:20:35Z"])
    #expect(try sandbox.newest()?.checks == 1)
    #expect(
      try sandbox.story == [
        "10:20:30.000 verification.started +12025550100", "10:20:35.000 verification.approved +12025550100",
      ])
  }

  @Test("a wrong code is counted, and the right one still approves")
  func wrongCode() throws {
    try world.start()

    let names = try ["000000", "41361", "413618 ", "413618"].map { try sandbox.check($0).name }

    #expect(names == ["wrongCode", "wrongCode", "wrongCode", "approved"])
    #expect(try sandbox.newest()?.checks == 4)
  }

  @Test("one check too many locks the verification, even with the right code")
  func checkLimit() throws {
    try world.start()

    let names = try (1...5).map { _ in try sandbox.check("000000").name } + [sandbox.check("413618").name]

    #expect(names == ["wrongCode", "wrongCode", "wrongCode", "wrongCode", "wrongCode", "checksExhausted"])
    #expect(try sandbox.newest()?.state == .exhausted)
    #expect(try sandbox.story.last == "10:20:30.000 verification.exhausted +12025550100")
  }

  @Test("a locked verification rejects checks and starts until it expires")
  func locked() throws {
    try world.start()
    for _ in 1...6 { try sandbox.check("000000") }

    try sandbox.advance(by: .milliseconds(599_999))
    let before = [try sandbox.check("413618").name, try world.start().parts.name]
    try sandbox.advance(by: .milliseconds(1))
    let after = [try sandbox.check("413618").name, try world.start().parts.name]

    #expect(before == ["checksExhausted", "checksExhausted"])
    #expect(
      after == [
        "nothingPending: the verification reached its check limit at 2026-01-05T10:20:30Z", "created",
      ])
  }

  @Test("a lock counts no further checks and sends nothing")
  func lockedQuietly() throws {
    try world.start()
    for _ in 1...9 { try sandbox.check("000000") }
    try world.start()

    #expect(try sandbox.newest()?.checks == 6)
    #expect(try sandbox.texts().count == 1)
  }

  @Test("a check without a verification says that none was started")
  func neverStarted() throws {
    #expect(
      try sandbox.check("413618").name == "nothingPending: no verification was started for this destination")
  }

  @Test("a check on the last millisecond counts, and one later does not")
  func lastMillisecond() throws {
    try world.start()
    try world.start("+12025550101")

    try sandbox.advance(by: .milliseconds(599_999))
    let before = try sandbox.check("413618").name
    try sandbox.advance(by: .milliseconds(1))
    let after = try sandbox.check("000000", of: "+12025550101").name

    #expect(
      [before, after] == ["approved", "nothingPending: the verification expired at 2026-01-05T10:30:30Z"])
  }

  // MARK: End

  @Test("a verification expires by the agenda at its own time, with an event")
  func expiry() throws {
    try world.start()

    try sandbox.advance(by: .seconds(3600))

    let verification = try sandbox.newest()
    #expect(verification?.state == .expired)
    #expect(verification?.updatedAt == TestSandbox.start + .seconds(600))
    #expect(
      try sandbox.story == [
        "10:20:30.000 verification.started +12025550100", "10:30:30.000 verification.expired +12025550100",
      ])
  }

  @Test("an ended verification does not expire", arguments: [true, false])
  func noExpiry(isApproved: Bool) throws {
    let verification = try world.start().parts.verification
    if isApproved {
      try sandbox.check("413618")
    } else {
      _ = try sandbox.verifications.finish(verification, as: .canceled)
    }

    try sandbox.advance(by: .seconds(3600))

    #expect(try sandbox.newest()?.state == (isApproved ? .approved : .canceled))
    #expect(try sandbox.turns.count == 2)
  }

  @Test("an expired code is rejected even before the agenda has run")
  func expiryWithoutAgenda() throws {
    try sandbox.set(clock: .real)
    try world.start()

    world.wallClock.now = TestSandbox.start + .seconds(600)

    #expect(
      try sandbox.check("413618").name == "nothingPending: the verification expired at 2026-01-05T10:30:30Z")
  }

  @Test(
    "a pending verification can be finished without a check",
    arguments: [
      (
        Verification.State.canceled, "canceled",
        "nothingPending: the verification was canceled at 2026-01-05T10:20:35Z"
      ),
      (.denied, "denied", "nothingPending: the verification was denied at 2026-01-05T10:20:35Z"),
      (.approved, "approved", "nothingPending: the verification was approved at 2026-01-05T10:20:35Z"),
    ])
  func concluding(state: Verification.State, event: String, sentence: String) throws {
    let verification = try world.start().parts.verification
    try sandbox.advance(by: .seconds(5))

    let ended = try sandbox.verifications.finish(verification, as: state)

    #expect(ended == (try sandbox.newest()))
    #expect(ended?.state == state)
    #expect(try sandbox.story.last == "10:20:35.000 verification.\(event) +12025550100")
    #expect(try sandbox.check("413618").name == sentence)
  }

  @Test("an ended verification is not finished again")
  func concludingTwice() throws {
    let verification = try world.start().parts.verification
    let ended = try #require(try sandbox.verifications.finish(verification, as: .canceled))

    #expect(try sandbox.verifications.finish(ended, as: .approved) == nil)
    #expect(try sandbox.newest()?.state == .canceled)
  }

  @Test("canceling frees the number for a new verification with a new code")
  func cancelFrees() throws {
    let verification = try world.start().parts.verification
    _ = try sandbox.verifications.finish(verification, as: .canceled)

    let (name, fresh) = try world.start().parts

    #expect(name == "created")
    #expect(fresh.code == "378376")
  }

  @Test("an approved number can be verified again")
  func again() throws {
    try world.start()
    try sandbox.check("413618")

    #expect(try world.start().parts.name == "created")
    #expect(try sandbox.check("378376").name == "approved")
  }

  @Test("the lifetime and the code length follow the rules")
  func rules() throws {
    var rules = VerificationRules()
    rules.lifetime = .seconds(120)
    rules.codeLength = 10

    let verification = try world.start(rules: rules).parts.verification

    #expect(verification.expiresAt == TestSandbox.start + .seconds(120))
    #expect(verification.code == "4136182156")
  }

  @Test("provider data is saved with a verification")
  func details() throws {
    let claim = Claim(provider: "acme", owner: "shop", destination: "+12025550100")
    var start = Verifications.Start(claim, over: .sms, rules: .init()) { .text($0.code) }
    start.details = ProviderDetails(#"{"locale":"de"}"#)
    _ = try sandbox.verifications.start(start)

    try world.start()

    #expect(try sandbox.newest()?.details.text == #"{"locale":"de"}"#)
  }
}
