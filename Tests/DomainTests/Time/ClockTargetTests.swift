import Basics
import Domain
import Support
import Testing

@Suite("Domain · moving the clock to a target")
struct ClockTargetTests {
  let world: World
  var sandbox: Sandbox { world.sandbox }

  init() throws { world = try World() }

  @Test("a clock set forward stops at each webhook attempt and continues when it has ended")
  func halts() throws {
    let webhook = try sandbox.webhooks.enqueue(.acme())
    var times: [String] = []

    try sandbox.advance(by: .seconds(3600))
    while sandbox.clockTarget != nil {
      times.append(now)
      try end(webhook, .unanswered(why: "down"))
    }

    #expect(times == ["10:20:30", "10:21:30", "10:23:30", "10:27:30", "10:35:30", "10:51:30"])
    #expect(now == "11:20:30")
    #expect(try sandbox.webhooks.find(webhook.ordinal)?.nextAt == Timestamp("2026-01-05T11:23:30Z"))
  }

  @Test("a receiver that starts on the way gets the webhook, and the clock continues")
  func comesUp() throws {
    let webhook = try sandbox.webhooks.enqueue(.acme())
    try sandbox.advance(by: .seconds(3600))

    try end(webhook, .unanswered(why: "down"))
    try end(webhook, .answered(status: 200, body: ""))

    #expect(now == "11:20:30")
    #expect(sandbox.clockTarget == nil)
    #expect(try sandbox.story.last == "10:21:30.000 webhook.delivered http://127.0.0.1:9/hook")
  }

  @Test("other work runs at its own time between two attempts")
  func otherWork() throws {
    var rules = VerificationRules()
    rules.lifetime = .seconds(120)
    try world.start(rules: rules)
    let webhook = try sandbox.webhooks.enqueue(.acme())
    try sandbox.advance(by: .seconds(300))
    while sandbox.clockTarget != nil { try end(webhook, .unanswered(why: "down")) }

    #expect(
      try sandbox.story.dropFirst(2) == [
        "10:20:30.000 webhook.unanswered http://127.0.0.1:9/hook",
        "10:21:30.000 webhook.unanswered http://127.0.0.1:9/hook",
        "10:22:30.000 verification.expired +12025550100",
        "10:23:30.000 webhook.unanswered http://127.0.0.1:9/hook",
      ])
  }

  @Test("the clock waits for all attempts of the same time")
  func severalAtOnce() throws {
    let webhooks = try (0..<3).map { _ in try sandbox.webhooks.enqueue(.acme()) }
    try sandbox.advance(by: .seconds(10))

    for webhook in webhooks {
      #expect(now == "10:20:30")
      try end(webhook, .answered(status: 200, body: ""))
    }

    #expect(now == "10:20:40")
  }

  @Test("a second advance adds to the first")
  func advanceTwice() throws {
    let webhook = try sandbox.webhooks.enqueue(.acme())
    try sandbox.advance(by: .seconds(10))
    try sandbox.advance(by: .seconds(20))

    try end(webhook, .answered(status: 200, body: ""))

    #expect(now == "10:21:00")
  }

  @Test("setting a time or a mode replaces the target")
  func replaced() throws {
    try sandbox.webhooks.enqueue(.acme())
    try sandbox.advance(by: .seconds(10))
    try sandbox.set(clockTo: Timestamp("2026-01-05T10:00:00Z"))
    #expect(sandbox.clockTarget == nil)
    #expect(now == "10:00:00")

    try sandbox.advance(by: .seconds(10))
    try sandbox.set(clock: .real)
    #expect(sandbox.clockTarget == nil)
  }

  @Test("a running clock that passes the target while it waits is not set back")
  func runningClock() throws {
    let world = try World(clock: .real)
    let sandbox = world.sandbox
    let webhook = try sandbox.webhooks.enqueue(.acme())
    try sandbox.advance(by: .seconds(5))
    world.wallClock.now = TestSandbox.start + .seconds(8)

    try sandbox.webhooks.record(
      .answered(status: 200, body: ""), of: webhook.ordinal, at: TestSandbox.start, retries: .minutely)
    try sandbox.advanceToTarget()

    #expect(sandbox.clockTarget == nil)
    #expect(sandbox.clock.now == TestSandbox.start + .seconds(8))
  }

  @Test("a running clock without a target does not wait for attempts")
  func runningOn() throws {
    let world = try World(clock: .real)
    var rules = VerificationRules()
    rules.lifetime = .seconds(120)
    try world.start(rules: rules)
    try world.sandbox.webhooks.enqueue(.acme())

    world.wallClock.now = TestSandbox.start + .seconds(200)
    try world.sandbox.catchUp()

    #expect(try world.sandbox.turns.last?.kind == .verificationExpired)
  }

  @Test("much due work is done in several turns of the event loop")
  func severalTurns() throws {
    for number in 1...600 { try world.start("+1202555\(1_000 + number)") }

    try sandbox.advance(by: .seconds(3600))
    #expect(sandbox.clockTarget != nil && world.sandboxes.hasNewDueTime)
    #expect(world.sandboxes.timeToNextDue == .zero)
    try world.sandboxes.catchUp()

    #expect(sandbox.clockTarget == nil && now == "11:20:30")
    #expect(world.sandboxes.timeToNextDue == nil)
    #expect(try world.count("SELECT count(*) FROM verifications WHERE state = 'pending'") == 0)
  }

  @Test("a failed request does not change the target")
  func undone() throws {
    try sandbox.webhooks.enqueue(.acme())
    try sandbox.advance(by: .seconds(10))

    #expect(throws: TestError.self) {
      try sandbox.atomically {
        try sandbox.set(clock: .real)
        throw TestError()
      }
    }

    #expect(sandbox.clockTarget == TestSandbox.start + .seconds(10))
    #expect(now == "10:20:30")
  }

  private var now: String { String(sandbox.clock.now.iso8601Milliseconds.dropFirst(11).prefix(8)) }

  private func end(_ webhook: Webhook, _ result: WebhookAttempt.Result) throws {
    try sandbox.webhooks.record(result, of: webhook.ordinal, at: sandbox.clock.now, retries: .minutely)
    try sandbox.advanceToTarget()
  }
}
