import Basics
import Database
import Domain
import Numbers
import Support
import Testing

@Suite("Domain · channels tried one after another")
struct FallbacksTests {
  let world: World
  let relay: Relay

  init() throws {
    let relay = Relay()
    self.relay = relay
    world = try World(hooks: [relay.hooks])
  }

  private var sandbox: Sandbox { world.sandbox }

  @Test("the first step starts with the verification, the others wait")
  func first() throws {
    let verification = try relay.start([(.whatsapp, 60), (.sms, 60), (.call, 0)], in: sandbox)

    #expect(relay.heard == ["10:20:30.000 whatsapp ongoing"])
    #expect(try sandbox.steps(of: verification) == ["whatsapp ongoing", "sms waiting", "call waiting"])
    #expect(try sandbox.messages.inbox(.init()).map(\.channel) == [.whatsapp])
  }

  @Test("the next step starts when a step times out, at that time, with the same code")
  func timeOver() throws {
    let verification = try relay.start([(.whatsapp, 60), (.sms, 60), (.call, 0)], in: sandbox)

    try sandbox.advance(by: .seconds(125))

    let messages = try sandbox.messages.inbox(.init())
    #expect(messages.map(\.code) == [verification.code, verification.code, verification.code])
    #expect(
      messages.map(\.submittedAt.iso8601) == [
        "2026-01-05T10:20:30Z", "2026-01-05T10:21:30Z", "2026-01-05T10:22:30Z",
      ])
    #expect(
      relay.heard == [
        "10:20:30.000 whatsapp ongoing", "10:21:30.000 whatsapp timeOver", "10:21:30.000 sms ongoing",
        "10:22:30.000 sms timeOver", "10:22:30.000 call ongoing",
      ])
    #expect(
      try sandbox.steps(of: verification) == [
        "whatsapp failed: timeOver", "sms failed: timeOver", "call ongoing",
      ])
  }

  @Test("the next step does not start a millisecond earlier")
  func notYet() throws {
    let verification = try relay.start([(.whatsapp, 60), (.sms, 0)], in: sandbox)

    try sandbox.advance(by: .milliseconds(59_999))

    #expect(try sandbox.steps(of: verification) == ["whatsapp ongoing", "sms waiting"])
  }

  @Test("the last step has the remaining lifetime; then the verification expires")
  func last() throws {
    let verification = try relay.start([(.whatsapp, 60), (.sms, 30)], in: sandbox)

    try sandbox.advance(by: .seconds(400))

    #expect(relay.heard.suffix(2) == ["10:21:30.000 sms ongoing", "10:26:30.000 expired"])
    #expect(try sandbox.steps(of: verification) == ["whatsapp failed: timeOver", "sms failed: timeOver"])
    let last = try #require(try sandbox.verifications.find(verification.ordinal))
    #expect(try sandbox.fallbacks.steps(of: last).last?.endsAt?.iso8601 == "2026-01-05T10:26:30Z")
  }

  @Test("the last step can have a timeout too; then the verification expires with it")
  func lastTimeout() throws {
    relay.lastStepTimesOut = true
    let verification = try relay.start([(.whatsapp, 60), (.sms, 30)], in: sandbox)

    try sandbox.advance(by: .seconds(400))

    #expect(
      relay.heard.suffix(3) == [
        "10:21:30.000 sms ongoing", "10:22:00.000 sms timeOver", "10:22:00.000 expired",
      ])
    let last = try #require(try sandbox.verifications.find(verification.ordinal))
    #expect(last.expiresAt.iso8601 == "2026-01-05T10:22:00Z")
  }

  @Test("a provider can wait for the timeout of a lost message")
  func patient() throws {
    relay.outcomes = [.sms: "undeliverable"]
    relay.fallsBackOnLoss = false
    let verification = try relay.start([(.sms, 60), (.call, 60)], in: sandbox)

    try sandbox.advance(by: .seconds(59))
    #expect(try sandbox.steps(of: verification) == ["sms ongoing", "call waiting"])
    try sandbox.advance(by: .seconds(1))

    #expect(try sandbox.steps(of: verification) == ["sms failed: undelivered", "call ongoing"])
  }

  @Test("a step fails when the carrier gives up, and the next one starts at that moment")
  func undelivered() throws {
    relay.outcomes = [.sms: "undeliverable"]
    let verification = try relay.start([(.sms, 60), (.call, 60)], in: sandbox)

    try sandbox.advance(by: .seconds(1))

    #expect(
      relay.heard == [
        "10:20:30.000 sms ongoing", "10:20:30.500 sms undelivered", "10:20:30.500 call ongoing",
      ])
    #expect(try sandbox.steps(of: verification) == ["sms failed: undelivered", "call ongoing"])
  }

  @Test("a step that the carrier refuses fails immediately")
  func refused() throws {
    relay.outcomes = [.sms: "submitFail:throttled"]
    let verification = try relay.start([(.sms, 60), (.call, 60)], in: sandbox)

    try sandbox.catchUp()

    #expect(try sandbox.steps(of: verification) == ["sms failed: undelivered", "call ongoing"])
  }

  @Test("the verification expires with its last step")
  func noneLeft() throws {
    relay.outcomes = [.sms: "undeliverable"]
    let verification = try relay.start([(.sms, 60)], in: sandbox)

    try sandbox.advance(by: .seconds(1))

    let after = try #require(try sandbox.verifications.find(verification.ordinal))
    #expect(after.state == .expired)
    #expect(after.expiresAt.iso8601Milliseconds == "2026-01-05T10:20:30.500Z")
    #expect(
      relay.heard == [
        "10:20:30.000 sms ongoing", "10:20:30.500 sms undelivered", "10:20:30.500 expired",
      ])
    #expect(
      try sandbox.check(verification.code, of: verification, by: relay.rules)
        == "nothingPending: the verification expired at 2026-01-05T10:20:30Z")
  }

  @Test("a step does not fail if its message is delivered")
  func released() throws {
    let number = try #require(PhoneNumber("+12025550100"))
    var subscriber = try sandbox.subscribers[number]
    subscriber.reach.sms = false
    try sandbox.subscribers.keep(subscriber)
    let verification = try relay.start([(.sms, 0)], in: sandbox)
    try sandbox.advance(by: .seconds(10))
    try sandbox.messages.release(to: number, over: [.sms])

    try sandbox.advance(by: .milliseconds(289_999))

    #expect(try sandbox.steps(of: verification) == ["sms ongoing"])
  }

  @Test("a message lost after its step's timeout does not affect the next step")
  func lateLoss() throws {
    relay.outcomes = [.sms: "absent"]
    let verification = try relay.start([(.sms, 60), (.call, 0)], in: sandbox)

    try sandbox.advance(by: .milliseconds(300_000))

    #expect(try sandbox.steps(of: verification) == ["sms failed: timeOver", "call ongoing"])
  }

  @Test("the rows of steps have what happened while the first one began")
  func rows() throws {
    relay.unreachable = [.push]
    let verification = try relay.start([(.push, 60), (.sms, 60), (.call, 0)], in: sandbox)
    let cached = try sandbox.steps(of: verification)

    // A failed request reads everything from rows again.
    #expect(throws: TestError.self) { try sandbox.atomically { throw TestError() } }

    #expect(try sandbox.steps(of: verification) == cached)
    #expect(cached == ["push failed: unreachable", "sms ongoing", "call waiting"])
    #expect(try world.count("SELECT count(*) FROM steps WHERE message IS NOT NULL") == 1)
  }

  @Test("a step without a device fails at once")
  func unreachable() throws {
    relay.unreachable = [.push]
    let verification = try relay.start([(.push, 60), (.sms, 0)], in: sandbox)

    #expect(
      relay.heard == [
        "10:20:30.000 push offered", "10:20:30.000 push unreachable", "10:20:30.000 sms ongoing",
      ])
    #expect(try sandbox.steps(of: verification) == ["push failed: unreachable", "sms ongoing"])
  }

  @Test("skipped steps are never started")
  func skipped() throws {
    let verification = try relay.start([(.push, 60), (.sms, 0)], in: sandbox, skipping: [.push])

    #expect(verification.channel == .sms)
    #expect(try sandbox.steps(of: verification) == ["push skipped", "sms ongoing"])
  }

  @Test("a verification whose steps are all skipped expires at once")
  func allSkipped() throws {
    let verification = try relay.start([(.push, 60)], in: sandbox, skipping: [.push])

    #expect(verification.state == .expired)
    #expect(verification.attempts.all == [])
    #expect(try sandbox.steps(of: verification) == ["push skipped"])
  }

  @Test("each start creates a new verification with a new series of codes")
  func apart() throws {
    let one = try relay.start([(.sms, 0)], in: sandbox)
    let other = try relay.start([(.sms, 0)], in: sandbox)

    #expect(one.ordinal != other.ordinal)
    #expect([one.series, other.series] == [1, 2])
    #expect(try sandbox.check(one.code, of: one, by: relay.rules) == "approved")
    #expect(try sandbox.check(other.code, of: other, by: relay.rules) == "approved")
  }

  @Test("a start fails if the provider cannot send")
  func undone() throws {
    let world = try World(hooks: [ProviderHooks(name: "acme") { _, _ in throw TestError() }])

    #expect(throws: TestError.self) { try relay.start([(.sms, 60), (.call, 0)], in: world.sandbox) }

    #expect(try world.count("SELECT count(*) FROM steps") == 0)
    #expect(try world.count("SELECT count(*) FROM verifications") == 0)
  }

  @Test("steps have rows also after an error that is an answer")
  func answered() throws {
    let world = try World(hooks: [ProviderHooks(name: "acme") { _, _ in throw TestError() }])
    let start = Fallbacks.Start(
      Claim(provider: "acme", owner: "shop", destination: "+12025550100"),
      steps: [.init(.sms, timeout: .seconds(60)), .init(.call, timeout: .zero)], rules: relay.rules)

    _ = try world.sandbox.atomically {
      #expect(throws: TestError.self) { _ = try world.sandbox.fallbacks.start(start) }
    }

    #expect(try world.count("SELECT count(*) FROM steps") == 2)
  }

  @Test("the next step follows from rows: a restart changes nothing")
  func restart() throws {
    let directory = try TemporaryDirectory()
    let before = try World(directory.database, hooks: [relay.hooks])
    let verification = try relay.start([(.whatsapp, 60), (.push, 60), (.sms, 0)], in: before.sandbox)
    try before.sandboxes.commit()
    before.close()

    let later = Relay()
    let after = try World(directory.database, hooks: [later.hooks])
    try after.sandbox.advance(by: .seconds(121))

    #expect(
      later.heard == [
        "10:21:30.000 whatsapp timeOver", "10:21:30.000 push offered", "10:22:30.000 push timeOver",
        "10:22:30.000 sms ongoing",
      ])
    #expect(try after.sandbox.check(verification.code, of: verification, by: later.rules) == "approved")
    #expect(
      try after.sandbox.steps(of: verification)
        == ["whatsapp failed: timeOver", "push failed: timeOver", "sms verified"])
  }

  @Test("steps are deleted with their verification")
  func history() throws {
    var history = Retention()
    history.maxAge = .seconds(3600)
    let world = try World(retention: history, hooks: [relay.hooks])
    _ = try relay.start([(.whatsapp, 60), (.sms, 0)], in: world.sandbox)
    #expect(try world.count("SELECT count(*) FROM steps") == 2)

    try world.sandbox.advance(by: .seconds(3 * 3600))

    #expect(try world.count("SELECT count(*) FROM verifications") == 0)
    #expect(try world.count("SELECT count(*) FROM steps") == 0)
  }
}
