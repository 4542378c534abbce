import Catalog
import Crypto
import Domain
import HTTP
import ProviderKit
import Support
import Testing

/// Webhooks from an operation to the receiver, with an invented provider.
@Suite("Webhooks of a provider", .contract("Docs/Decisions/0020"))
struct ToyWebhookTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox(providers: catalog + [Toy.self]) }

  private var receiver: TestReceiver { world.receiver }

  private func knock(_ query: String = "?tell=http://127.0.0.1:9/hook") throws -> String {
    try world.send(.to("/knock/+12025550100\(query)", .put)).answer
  }

  private func newest() throws -> Webhook { try #require(try world.sandbox.webhooks.latest) }

  @Test("a request's webhook is rendered, signed and sent once, after the commit")
  func sent() throws {
    let answer = try knock()

    let delivery = try #require(receiver.deliveries.first)
    #expect(answer == "202 Who is there?")
    #expect(receiver.deliveries.count == 1)
    #expect(delivery.url == "http://127.0.0.1:9/hook" && delivery.timeout == .seconds(10))
    #expect(delivery.body == "\(try newest().id) +12025550100 2026-01-05T10:20:30.000Z")
    #expect(try newest().state == .delivered)
  }

  @Test("the signature is valid for the sandbox's published key")
  func signature() throws {
    _ = try knock()

    let delivery = try #require(receiver.deliveries.first)
    let text = try #require(delivery["X-Toy-Signature"])
    let published = try world.send(.to("/control/webhooks/keys")).answer.dropFirst("200 ".count)
    let key = try #require(RSAPublicKey(pem: String(published)))
    let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    #expect(key.accepts(pssSignature: try #require(Base64.decode(plain)), of: delivery.request.body))
  }

  @Test("a receiver that is down gets the same bytes again, by the provider's schedule")
  func retried() throws {
    receiver.answer = .unanswered(reason: "down")
    _ = try knock()
    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"2m"}"#))
    receiver.answer = .answered(status: 200, body: "")

    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"1h"}"#))

    let times = try world.sandbox.webhooks.attempts(of: newest().ordinal).map(\.at)
    #expect(times.map { ($0 - TestSandbox.start).milliseconds / 1000 } == [0, 60, 180])
    #expect(receiver.deliveries.map(\.request) == Array(repeating: receiver.deliveries[0].request, count: 3))
    #expect(try newest().state == .delivered)
    #expect(world.sandbox.clock.now == TestSandbox.start + .seconds(3720))
  }

  @Test("a webhook fails when the provider's schedule ends")
  func givenUp() throws {
    receiver.answer = .answered(status: 500, body: "no")
    _ = try knock()

    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"1d"}"#))

    #expect(try newest().state == .failed)
    #expect(try newest().reason == "not acknowledged in 31 attempts; the schedule has no more")
    #expect(receiver.deliveries.count == 31)
  }

  @Test("a blocked destination is in the delivery log and in the journal, with the reason")
  func refused() throws {
    receiver.answer = .refused(reason: "a.test is too far")

    _ = try knock("?tell=http://me:pw@a.test/hook")

    #expect(try newest().state == .refused)
    let noted = try #require(world.sandbox.journal.last)
    #expect(noted.why == "webhook \(try newest().id) was not sent: a.test is too far")
    #expect([noted.owner, noted.method, noted.target] == ["toy", "POST", "http://********@a.test/hook"])
  }

  @Test(
    "a webhook that the provider does not send, or fails to render, is logged with the reason",
    arguments: [
      ("secret", "toy sends no webhook for this"), ("other", "failed to render: nonsense"),
    ])
  func notRendered(kind: String, reason: String) throws {
    #expect(try knock("?tell=http://127.0.0.1:9/&kind=\(kind)") == "202 Who is there?")

    #expect(receiver.deliveries.isEmpty)
    #expect(try newest().state == .failed)
    #expect(try newest().reason == reason)
  }

  @Test("a webhook of an unknown provider fails")
  func strange() throws {
    try world.sandbox.webhooks.enqueue(
      WebhookDraft(provider: "gone", url: "http://127.0.0.1:9/", kind: "x", subject: 0))

    world.sendWebhooks()

    #expect(try newest().reason == "unknown provider gone")
  }

  @Test("a rejected request sends no webhook")
  func refusedRequest() throws {
    _ = try world.send(.to("/knock/1202?tell=http://127.0.0.1:9/", .put))

    #expect(receiver.deliveries.isEmpty)
  }

  @Test("at most 32 attempts run at once, and others start as they end")
  func bounded() throws {
    var callbacks: [(WebhookAttempt.Result) -> Void] = []
    var started = 0
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { _ in }) {
      callbacks.append($3)
      started += 1
    }
    world.receiver.isSilent = true
    for port in 1...40 { _ = try knock("?tell=http://127.0.0.1:\(port)/hook") }

    tick(dispatch)
    #expect(started == 32)
    for callback in callbacks[..<8] { callback(.answered(status: 200, body: "")) }
    tick(dispatch)

    #expect(started == 40)
    #expect(try world.sandbox.webhooks.ready(limit: 100).count == 32)
  }

  /// `answersNewestFirst`: which of two running attempts ends first.
  private func received(answersNewestFirst: Bool) throws -> [String] {
    let world = try TestSandbox(providers: catalog + [Toy.self])
    world.receiver.isSilent = true
    var urls: [String] = []
    var callbacks: [(WebhookAttempt.Result) -> Void] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { _ in }) {
      urls.append($0)
      callbacks.append($3)
    }
    for hook in ["one:80/a", "two:80/b", "one:80/c?d", "ONE:80/e", "two:80", "one:80#f"] {
      _ = try world.send(.to("/knock/+12025550100?tell=\(PercentCoding.encode("http://\(hook)"))", .put))
    }
    repeat {
      dispatch.prepare()
      dispatch.sendReady()
      let callback =
        answersNewestFirst ? callbacks.popLast() : callbacks.isEmpty ? nil : callbacks.removeFirst()
      callback?(.answered(status: 200, body: ""))
    } while try !callbacks.isEmpty || world.sandbox.webhooks.isReady
    return urls
  }

  @Test("webhooks to one destination are sent in the order in which they came due, in every run")
  func ordered() throws {
    let runs = try [false, true].map { try received(answersNewestFirst: $0) }

    for run in runs {
      let one = run.filter { $0.lowercased().hasPrefix("http://one") }
      #expect(one == ["http://one:80/a", "http://one:80/c?d", "http://ONE:80/e", "http://one:80#f"])
      #expect(run.filter { $0.hasPrefix("http://two") } == ["http://two:80/b", "http://two:80"])
    }
    #expect(try received(answersNewestFirst: true) == runs[1])
  }

  @Test("a webhook that waits for an earlier one to its destination is rendered when it is due")
  func renderedWhileWaiting() throws {
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { _ in }) { _, _, _, _ in }
    world.receiver.isSilent = true
    for _ in 0..<2 { _ = try knock("?tell=http://slow:80/") }

    tick(dispatch)

    let requests = try world.sandbox.webhooks.ready(limit: 10).map(\.request)
    #expect(requests.count == 2)
    #expect(requests.allSatisfy { $0 != nil })
  }

  @Test("a destination that does not answer has one running attempt, and does not delay others")
  func slowDestination() throws {
    var urls: [String] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { _ in }) {
      url, _, _, then in
      urls.append(url)
      if !url.contains("slow") { then(.answered(status: 200, body: "")) }
    }
    world.receiver.isSilent = true
    for _ in 0..<100 { _ = try knock("?tell=http://slow:80/") }
    for _ in 0..<3 { _ = try knock("?tell=http://quick:80/") }

    while world.sandboxes.mayHaveReadyWebhooks { tick(dispatch) }

    #expect(urls == ["http://slow:80/", "http://quick:80/", "http://quick:80/", "http://quick:80/"])
    #expect(try world.sandbox.webhooks.ready(limit: 200).count == 100)
  }

  @Test("a webhook that cannot be rendered does not delay the next one to its destination")
  func renderedInOneTick() throws {
    var urls: [String] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { _ in }) { url, _, _, _ in
      urls.append(url)
    }
    world.receiver.isSilent = true
    for query in ["/a&kind=secret", "/b&kind=other", "/c"] { _ = try knock("?tell=http://one:80\(query)") }

    tick(dispatch)

    #expect(urls == ["http://one:80/c"])
  }

  @Test("results for a removed sandbox are dropped")
  func removed() throws {
    var callbacks: [(WebhookAttempt.Result) -> Void] = []
    var reports: [String] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { reports.append($0) }) {
      callbacks.append($3)
    }
    world.receiver.isSilent = true
    _ = try knock()
    tick(dispatch)
    _ = try world.sandboxes.reset(world.sandbox)
    _ = try knock()

    for callback in callbacks { callback(.unanswered(reason: "late")) }

    #expect(callbacks.count == 1)
    #expect(try newest().tries == 0)
    #expect(reports.isEmpty)
  }

  private func tick(_ dispatch: WebhookDispatch) {
    dispatch.prepare()
    dispatch.sendReady()
  }
}
