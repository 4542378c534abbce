import Domain
import Support
import Testing

@Suite("Domain · webhooks")
struct WebhooksTests {
  let world: World
  var sandbox: Sandbox { world.sandbox }
  var webhooks: Webhooks { sandbox.webhooks }

  init() throws { world = try World() }

  @Test("one without a time is ready at once, pending, and an event")
  func enqueue() throws {
    let webhook = try webhooks.enqueue(.acme())

    #expect(webhook.state == .pending)
    #expect(webhook.id == "whk_00000\(webhook.ordinal)")
    #expect(try webhooks.ready(limit: 10) == [webhook])
    #expect(try sandbox.story == ["10:20:30.000 webhook.enqueued http://127.0.0.1:9/hook"])
  }

  @Test("one for later is ready when its time has come")
  func later() throws {
    let webhook = try webhooks.enqueue(.acme(), dueAt: TestSandbox.start + .seconds(5))

    #expect(try webhooks.ready(limit: 10) == [])
    try sandbox.advance(by: .seconds(4))
    #expect(try webhooks.ready(limit: 10) == [])
    try sandbox.advance(by: .seconds(1))
    #expect(try webhooks.ready(limit: 10).map(\.ordinal) == [webhook.ordinal])
  }

  @Test("what is planned can be taken back, as long as nobody was told")
  func withdrawn() throws {
    let later = try webhooks.enqueue(.acme(), dueAt: TestSandbox.start + .seconds(5))
    let now = try webhooks.enqueue(.acme())
    let told = try webhooks.enqueue(.acme())
    try end(told, .unanswered(reason: "down"))

    let planned = try webhooks.planned(about: 1, by: "acme")
    for webhook in [later, now, told] { try webhooks.cancel(webhook) }

    #expect(planned == [later])
    #expect(try webhooks.planned(about: 2, by: "acme") == [] && webhooks.planned(about: 1, by: "other") == [])
    #expect(try webhooks.all(.init()).map(\.ordinal) == [now.ordinal, told.ordinal])
    try sandbox.advance(by: .seconds(10))
    #expect(try webhooks.ready(limit: 10).map(\.ordinal) == [now.ordinal])
  }

  @Test("one that is acknowledged is delivered, and that is its end")
  func delivered() throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, .answered(status: 204, body: ""))

    #expect(try webhooks.find(webhook.ordinal)?.state == .delivered)
    #expect(try webhooks.ready(limit: 10) == [])
    #expect(try sandbox.story.last == "10:20:30.000 webhook.delivered http://127.0.0.1:9/hook")
  }

  @Test(
    "what is not acknowledged is tried again after the schedule's pause",
    arguments: [
      WebhookAttempt.Result.answered(status: 500, body: "no"), .answered(status: 302, body: ""),
      .unanswered(reason: "nobody listens"),
    ])
  func retried(result: WebhookAttempt.Result) throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, result)

    let waiting = try #require(try webhooks.find(webhook.ordinal))
    #expect(waiting.state == .pending)
    #expect(waiting.nextAt == TestSandbox.start + .seconds(60))
    #expect(try webhooks.attempts(of: webhook.ordinal).map(\.result) == [result])
    #expect(try webhooks.ready(limit: 10) == [])
    try sandbox.advance(by: .seconds(60))
    #expect(try webhooks.ready(limit: 10).map(\.ordinal) == [webhook.ordinal])
  }

  @Test("one whose schedule ends has failed, and says how often it was tried")
  func failed() throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, .unanswered(reason: "nobody listens"), retries: .never)

    let failed = try #require(try webhooks.find(webhook.ordinal))
    #expect(failed.state == .failed)
    #expect(failed.reason == "not acknowledged in 1 attempts; the schedule has no more")
  }

  @Test("one that may not go where it should is refused for good")
  func refused() throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, .refused(reason: "too far"))

    let refused = try #require(try webhooks.find(webhook.ordinal))
    #expect([refused.state.rawValue, refused.reason] == ["refused", "too far"])
    #expect(refused.nextAt == nil)
  }

  @Test("a replay is one attempt more, and its failure leaves everything as it was")
  func replay() throws {
    let webhook = try webhooks.enqueue(.acme())
    try end(webhook, .answered(status: 200, body: ""))

    let replayed = try webhooks.replay(try #require(try webhooks.find(webhook.ordinal)))
    try end(replayed, .answered(status: 500, body: ""))

    #expect(try webhooks.find(webhook.ordinal)?.state == .delivered)
    #expect(try webhooks.attempts(of: webhook.ordinal).map(\.number) == [1, 2])
  }

  @Test("a replay before the next attempt that succeeds makes that one needless")
  func replayInTime() throws {
    let webhook = try webhooks.enqueue(.acme())
    try end(webhook, .unanswered(reason: "down"))
    try sandbox.advance(by: .seconds(10))

    let replayed = try webhooks.replay(try #require(try webhooks.find(webhook.ordinal)))
    try end(replayed, .answered(status: 200, body: ""))
    try sandbox.advance(by: .seconds(3600))

    #expect(
      try webhooks.attempts(of: webhook.ordinal).map(\.at) == [
        TestSandbox.start, TestSandbox.start + .seconds(10),
      ])
    #expect(try webhooks.ready(limit: 10) == [])
  }

  @Test("a replay in vain leaves the schedule alone")
  func replayInVain() throws {
    let webhook = try webhooks.enqueue(.acme())
    try end(webhook, .unanswered(reason: "down"))
    try sandbox.advance(by: .seconds(10))

    let replayed = try webhooks.replay(try #require(try webhooks.find(webhook.ordinal)))
    try end(replayed, .unanswered(reason: "down"))

    #expect(try webhooks.find(webhook.ordinal)?.nextAt == TestSandbox.start + .seconds(60))
    #expect(try webhooks.find(webhook.ordinal)?.tries == 1)
  }

  @Test("what a webhook says is kept as it was said")
  func bytes() throws {
    let webhook = try webhooks.enqueue(.acme())
    let request = WebhookRequest.json([0x7B, 0x00, 0xFF], .init("X-Sign", "a: b\r\nX-Other: c"))

    try webhooks.keep(request, of: webhook)

    #expect(try webhooks.find(webhook.ordinal)?.request == request)
    #expect(request.fields.map(\.value) == ["application/json", "a: bX-Other: c"])
  }

  @Test("beyond the limit the oldest pending one is dropped, and says so")
  func dropped() throws {
    let first = try webhooks.enqueue(.acme())
    for _ in 1..<Webhooks.limit { try webhooks.enqueue(.acme()) }
    #expect(try webhooks.find(first.ordinal)?.state == .pending)

    try webhooks.enqueue(.acme())

    let dropped = try #require(try webhooks.find(first.ordinal))
    #expect(dropped.state == .dropped)
    #expect(dropped.reason == "dropped: 10000 newer webhooks are pending")
    #expect(try world.count("SELECT count(*) FROM webhooks WHERE state = 'pending'") == Webhooks.limit)
  }

  @Test("one that was dropped while it was under way is delivered all the same")
  func droppedUnderWay() throws {
    let first = try webhooks.enqueue(.acme())
    for _ in 0..<Webhooks.limit { try webhooks.enqueue(.acme()) }

    try end(first, .answered(status: 200, body: ""))

    #expect(try webhooks.find(first.ordinal)?.state == .delivered)
  }

  @Test("a request that fails has enqueued nothing")
  func undone() throws {
    #expect(throws: TestError.self) {
      try sandbox.atomically {
        try webhooks.enqueue(.acme())
        throw TestError()
      }
    }

    #expect(try webhooks.all(.init()) == [])
    #expect(try webhooks.ready(limit: 10) == [])
  }

  @Test("what is ready survives a restart, and so does what waits")
  func restart() throws {
    let folder = try TemporaryDirectory()
    let before = try World(folder.database)
    try before.sandbox.webhooks.enqueue(.acme(kind: "now"))
    let later = try before.sandbox.webhooks.enqueue(.acme(kind: "later"))
    try before.sandbox.webhooks.record(
      .unanswered(reason: "down"), of: later.ordinal, at: TestSandbox.start, retries: .minutely)
    try before.sandboxes.commit()
    before.close()

    let after = try World(folder.database)

    #expect(after.sandboxes.mayHaveReadyWebhooks)
    #expect(try after.sandbox.webhooks.ready(limit: 10).map(\.draft.kind) == ["now"])
    try after.sandbox.webhooks.record(
      .answered(status: 200, body: ""), of: later.ordinal - 1, at: TestSandbox.start, retries: .minutely)
    try after.sandbox.advance(by: .seconds(60))
    #expect(try after.sandbox.webhooks.ready(limit: 10).map(\.draft.kind) == ["later"])
  }

  @Test("history forgets webhooks that are over, with their attempts; pending ones stay")
  func history() throws {
    let over = try webhooks.enqueue(.acme())
    try end(over, .answered(status: 200, body: ""))
    let pending = try webhooks.enqueue(.acme(), dueAt: TestSandbox.start + .seconds(30 * 86_400))

    try sandbox.advance(by: .seconds(8 * 86_400))

    #expect(try webhooks.all(.init()).map(\.ordinal) == [pending.ordinal])
    #expect(try webhooks.attempts(of: over.ordinal) == [])
  }

  @Test("webhooks are found by provider, kind, state and cursor")
  func filters() throws {
    let first = try webhooks.enqueue(.acme(kind: "a"))
    let second = try webhooks.enqueue(.acme(kind: "b"))
    try end(first, .answered(status: 200, body: ""))

    func found(_ change: (inout Webhooks.Filter) -> Void) throws -> [Int] {
      var filter = Webhooks.Filter()
      change(&filter)
      return try webhooks.all(filter).map(\.ordinal)
    }
    #expect(try found { $0.provider = "acme" } == [first.ordinal, second.ordinal])
    #expect(try found { $0.provider = "other" } == [])
    #expect(try found { $0.kind = "b" } == [second.ordinal])
    #expect(try found { $0.state = .delivered } == [first.ordinal])
    #expect(try found { $0.after = first.ordinal } == [second.ordinal])
    #expect(try webhooks.latest?.ordinal == second.ordinal)
  }

  @Test(
    "secrets in a URL are not shown",
    arguments: [
      ("http://a.test/hook", "http://a.test/hook"),
      ("http://me:pw@a.test/hook", "http://********@a.test/hook"),
      (
        "https://a.test:8443/h@k?x=1&api_key=s3&TOKEN=t#f",
        "https://a.test:8443/h@k?x=1&api_key=********&TOKEN=********"
      ),
      ("https://a.test?key", "https://a.test?key"), ("nonsense", "nonsense"),
    ])
  func masking(url: String, shown: String) {
    #expect(Webhook.masked(url).hasPrefix(shown))
    #expect(!Webhook.masked(url).contains("s3"))
  }

  private func end(_ webhook: Webhook, _ result: WebhookAttempt.Result, retries: RetrySchedule = .minutely)
    throws
  {
    try webhooks.record(result, of: webhook.ordinal, at: sandbox.clock.now, retries: retries)
  }
}

extension WebhookDraft {
  /// A webhook of the provider `acme`.
  static func acme(kind: String = "thing", to url: String = "http://127.0.0.1:9/hook") -> WebhookDraft {
    WebhookDraft(provider: "acme", url: url, kind: kind, subject: 1)
  }
}

extension RetrySchedule {
  /// After one minute, two, four and so on up to an hour, for a day.
  static let minutely = RetrySchedule.doubling(
    from: .seconds(60), upTo: .seconds(3600), for: .seconds(86_400))
}
