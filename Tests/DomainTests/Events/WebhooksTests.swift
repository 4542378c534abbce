import Basics
import Domain
import Support
import Testing

@Suite("Domain · webhooks")
struct WebhooksTests {
  let world: World
  var sandbox: Sandbox { world.sandbox }
  var webhooks: Webhooks { sandbox.webhooks }

  init() throws { world = try World() }

  @Test("a webhook without a time is pending and due at once, and is logged as an event")
  func enqueue() throws {
    let webhook = try webhooks.enqueue(.acme())

    #expect(webhook.state == .pending)
    #expect(webhook.id == "whk_00000\(webhook.ordinal)")
    #expect(try webhooks.ready(limit: 10) == [webhook])
    #expect(try sandbox.story == ["10:20:30.000 webhook.enqueued http://127.0.0.1:9/hook"])
  }

  @Test("a scheduled webhook is due at its time")
  func later() throws {
    let webhook = try webhooks.enqueue(.acme(), dueAt: TestSandbox.start + .seconds(5))

    #expect(try webhooks.ready(limit: 10) == [])
    try sandbox.advance(by: .seconds(4))
    #expect(try webhooks.ready(limit: 10) == [])
    try sandbox.advance(by: .seconds(1))
    #expect(try webhooks.ready(limit: 10).map(\.ordinal) == [webhook.ordinal])
  }

  @Test("a scheduled webhook can be cancelled until it is sent")
  func withdrawn() throws {
    let later = try webhooks.enqueue(.acme(), dueAt: TestSandbox.start + .seconds(5))
    let now = try webhooks.enqueue(.acme())
    let told = try webhooks.enqueue(.acme())
    try end(told, .unanswered(why: "down"))

    let planned = try webhooks.planned(about: 1, by: "acme")
    for webhook in [later, now, told] { try webhooks.cancel(webhook) }

    #expect(planned == [later])
    #expect(try webhooks.planned(about: 2, by: "acme") == [] && webhooks.planned(about: 1, by: "other") == [])
    #expect(try webhooks.all(.init()).map(\.ordinal) == [now.ordinal, told.ordinal])
    try sandbox.advance(by: .seconds(10))
    #expect(try webhooks.ready(limit: 10).map(\.ordinal) == [now.ordinal])
  }

  @Test("an acknowledged webhook is delivered and not sent again")
  func delivered() throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, .answered(status: 204, body: ""))

    #expect(try webhooks.find(webhook.ordinal)?.state == .delivered)
    #expect(try webhooks.ready(limit: 10) == [])
    #expect(try sandbox.story.last == "10:20:30.000 webhook.delivered http://127.0.0.1:9/hook")
  }

  @Test(
    "a webhook without acknowledgement is retried after the schedule's pause",
    arguments: [
      WebhookAttempt.Result.answered(status: 500, body: "no"), .answered(status: 302, body: ""),
      .unanswered(why: "nobody listens"),
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

  @Test("a webhook fails at the end of its schedule, with the reason of the last attempt")
  func failed() throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, .unanswered(why: "nobody listens"), retries: .never)

    let failed = try #require(try webhooks.find(webhook.ordinal))
    #expect(failed.state == .failed)
    #expect(failed.why == "nobody listens")
  }

  @Test("a webhook that its receiver refuses for good is not sent again")
  func refusedForGood() throws {
    let webhook = try webhooks.enqueue(.acme())
    var retries = RetrySchedule(pauses: [.seconds(60)])
    retries.refusals = [410]

    try end(webhook, .answered(status: 410, body: ""), retries: retries)

    let failed = try #require(try webhooks.find(webhook.ordinal))
    #expect(failed.state == .failed && failed.nextAt == nil)
    #expect(failed.why == "the receiver answered 410")
  }

  @Test("a webhook to a blocked destination is refused and never retried")
  func refused() throws {
    let webhook = try webhooks.enqueue(.acme())

    try end(webhook, .refused(why: "too far"))

    let refused = try #require(try webhooks.find(webhook.ordinal))
    #expect([refused.state.rawValue, refused.why] == ["refused", "too far"])
    #expect(refused.nextAt == nil)
  }

  @Test("a replay is one more attempt, and its failure changes nothing")
  func replay() throws {
    let webhook = try webhooks.enqueue(.acme())
    try end(webhook, .answered(status: 200, body: ""))

    let replayed = try webhooks.replay(try #require(try webhooks.find(webhook.ordinal)))
    try end(replayed, .answered(status: 500, body: ""))

    #expect(try webhooks.find(webhook.ordinal)?.state == .delivered)
    #expect(try webhooks.attempts(of: webhook.ordinal).map(\.number) == [1, 2])
  }

  @Test("a successful replay cancels the next attempt")
  func replayInTime() throws {
    let webhook = try webhooks.enqueue(.acme())
    try end(webhook, .unanswered(why: "down"))
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

  @Test("a failed replay does not change the schedule")
  func replayInVain() throws {
    let webhook = try webhooks.enqueue(.acme())
    try end(webhook, .unanswered(why: "down"))
    try sandbox.advance(by: .seconds(10))

    let replayed = try webhooks.replay(try #require(try webhooks.find(webhook.ordinal)))
    try end(replayed, .unanswered(why: "down"))

    #expect(try webhooks.find(webhook.ordinal)?.nextAt == TestSandbox.start + .seconds(60))
    #expect(try webhooks.find(webhook.ordinal)?.tries == 1)
  }

  @Test("the bytes of a webhook are stored unchanged")
  func bytes() throws {
    let webhook = try webhooks.enqueue(.acme())
    let request = WebhookRequest.json([0x7B, 0x00, 0xFF], .init("X-Sign", "a: b\r\nX-Other: c"))

    let questions = [[WebhookRequest.Field("X-Sign", "a")], []].map {
      WebhookRequest(.get, fields: $0, body: [])
    }
    for request in [request] + questions {
      try webhooks.keep(request, of: webhook)
      #expect(try webhooks.find(webhook.ordinal)?.request == request)
    }
    #expect(request.fields.map(\.value) == ["application/json", "a: bX-Other: c"])
  }

  @Test("over the limit, the oldest pending webhook is dropped with the reason")
  func dropped() throws {
    let first = try webhooks.enqueue(.acme())
    for _ in 1..<Webhooks.limit { try webhooks.enqueue(.acme()) }
    #expect(try webhooks.find(first.ordinal)?.state == .pending)

    try webhooks.enqueue(.acme())

    let dropped = try #require(try webhooks.find(first.ordinal))
    #expect(dropped.state == .dropped)
    #expect(dropped.why == "dropped: 10000 newer webhooks are pending")
    #expect(try world.count("SELECT count(*) FROM webhooks WHERE state = 'pending'") == Webhooks.limit)
  }

  @Test("a webhook that is dropped during its attempt can still be delivered")
  func droppedUnderWay() throws {
    let first = try webhooks.enqueue(.acme())
    for _ in 0..<Webhooks.limit { try webhooks.enqueue(.acme()) }

    try end(first, .answered(status: 200, body: ""))

    #expect(try webhooks.find(first.ordinal)?.state == .delivered)
  }

  @Test("a request that fails enqueues no webhook")
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

  @Test("due and scheduled webhooks survive a restart")
  func restart() throws {
    let folder = try TemporaryDirectory()
    let before = try World(folder.database)
    try before.sandbox.webhooks.enqueue(.acme(kind: "now"))
    let later = try before.sandbox.webhooks.enqueue(.acme(kind: "later"))
    try before.sandbox.webhooks.record(
      .unanswered(why: "down"), of: later.ordinal, at: TestSandbox.start, retries: .minutely)
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

  @Test("ended webhooks are deleted with the history and their attempts, pending ones are kept")
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
    "secrets in a URL are masked",
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
