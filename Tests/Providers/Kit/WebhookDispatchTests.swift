import Basics
import Crypto
import Demo
import Domain
import HTTP
import ProviderKit
import Support
import Testing

/// Webhooks from an operation to the receiver, with the example provider.
@Suite("Webhooks of a provider", .contract("Docs/Decisions.md 0020"))
struct WebhookDispatchTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox(of: DemoProvider.self) }

  private var receiver: TestReceiver { world.receiver }

  @discardableResult
  private func sendCode(
    to number: String = "+12025550100", reportingTo url: String = "http://127.0.0.1:9/hook"
  ) throws -> String {
    try world.send(.code(to: number, reportingTo: url)).answer
  }

  /// Numbers of other people: nobody gets more than five codes.
  private static let numbers = (2000..<2100).map { "+1202555\($0)" }

  private func enqueue(
    to url: String, kind: String = "code.sent", subject: Int = 0, of provider: String = "demo"
  )
    throws
  {
    try world.sandbox.webhooks.enqueue(
      WebhookDraft(provider: provider, url: url, kind: kind, subject: subject))
  }

  private func newest() throws -> Webhook { try #require(try world.sandbox.webhooks.latest) }

  @Test("a request's webhook is rendered, signed and sent once, after the commit")
  func sent() throws {
    let answer = try sendCode()

    let delivery = try #require(receiver.deliveries.first)
    #expect(answer == #"202 {"status":"sent"}"#)
    #expect(receiver.deliveries.count == 1)
    #expect(delivery.url == "http://127.0.0.1:9/hook" && delivery.timeouts == .init())
    #expect(
      delivery.body
        == #"{"id":"\#(try newest().id)","number":"+12025550100","sent_at":"2026-01-05T10:20:30.000Z"}"#)
    #expect(try newest().state == .delivered)
  }

  @Test("the signature is valid for the sandbox's published key")
  func signature() throws {
    try sendCode()

    let delivery = try #require(receiver.deliveries.first)
    let text = try #require(delivery["X-Demo-Signature"])
    let published = try world.send(.to("/control/webhooks/keys")).answer.dropFirst("200 ".count)
    let key = try #require(RSAPublicKey(pem: String(published)))
    #expect(key.accepts(pssSignature: try #require(Base64.decode(text)), of: delivery.request.body))
  }

  @Test("a receiver that is down gets the same bytes again, by the provider's schedule")
  func retried() throws {
    receiver.answer = .unanswered(why: "down")
    try sendCode()
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
    try sendCode()

    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"1d"}"#))

    #expect(try newest().state == .failed)
    #expect(try newest().why == "not acknowledged in 31 attempts; the last: the receiver answered 500")
    #expect(receiver.deliveries.count == 31)
  }

  @Test("a blocked destination is in the delivery log and in the journal, with the reason")
  func refused() throws {
    receiver.answer = .refused(why: "a.test is too far")

    try sendCode(reportingTo: "http://me:pw@a.test/hook")

    #expect(try newest().state == .refused)
    let noted = try #require(world.sandbox.journal.last)
    #expect(noted.why == "webhook \(try newest().id) was not sent: a.test is too far")
    #expect([noted.owner, noted.method, noted.target] == ["demo", "POST", "http://********@a.test/hook"])
  }

  @Test(
    "a webhook that the provider does not send, or fails to render, is logged with the reason",
    arguments: [
      ("code.sent", "demo sends no webhook for this"),
      ("other", #"failed to render: "#),
    ])
  func notRendered(kind: String, reason: String) throws {
    try enqueue(to: "http://127.0.0.1:9/", kind: kind)

    world.sendWebhooks()

    #expect(receiver.deliveries.isEmpty)
    #expect(try newest().state == .failed)
    #expect(try newest().why?.hasPrefix(reason) == true)
  }

  @Test("a webhook of an unknown provider fails")
  func strange() throws {
    try enqueue(to: "http://127.0.0.1:9/", of: "gone")

    world.sendWebhooks()

    #expect(try newest().why == "unknown provider gone")
  }

  @Test("a rejected request sends no webhook")
  func refusedRequest() throws {
    let answer = try world.send(.code(to: "1202", reportingTo: "http://127.0.0.1:9/")).answer

    #expect(answer == #"400 {"error":"invalid_number"}"#)
    #expect(receiver.deliveries.isEmpty)
  }

  @Test("at most 32 attempts run at once, and others start as they end")
  func bounded() throws {
    var callbacks: [(WebhookAttempt.Result) -> Void] = []
    var started = 0
    let dispatch = WebhookDispatch(world.sandboxes, providers: [DemoProvider.self], report: { _ in }) {
      callbacks.append($3)
      started += 1
    }
    world.receiver.isSilent = true
    for (port, number) in Self.numbers.prefix(40).enumerated() {
      try sendCode(to: number, reportingTo: "http://127.0.0.1:\(port + 1)/hook")
    }

    tick(dispatch)
    #expect(started == 32)
    for callback in callbacks[..<8] { callback(.answered(status: 200, body: "")) }
    tick(dispatch)

    #expect(started == 40)
    #expect(try world.sandbox.webhooks.ready(limit: 100).count == 32)
  }

  /// `answersNewestFirst`: which of two running attempts ends first.
  private func received(answersNewestFirst: Bool) throws -> [String] {
    let world = try TestSandbox(of: DemoProvider.self)
    world.receiver.isSilent = true
    var urls: [String] = []
    var callbacks: [(WebhookAttempt.Result) -> Void] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [DemoProvider.self], report: { _ in }) {
      urls.append($0)
      callbacks.append($3)
    }
    let hooks = ["one:80/a", "two:80/b", "one:80/c?d", "ONE:80/e", "two:80", "one:80#f"]
    for (hook, number) in zip(hooks, Self.numbers) {
      _ = try world.send(.code(to: number, reportingTo: "http://\(hook)"))
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
    let dispatch = WebhookDispatch(world.sandboxes, providers: [DemoProvider.self], report: { _ in }) {
      _, _, _, _ in
    }
    world.receiver.isSilent = true
    for _ in 0..<2 { try sendCode(reportingTo: "http://slow:80/") }

    tick(dispatch)

    let requests = try world.sandbox.webhooks.ready(limit: 10).map(\.request)
    #expect(requests.count == 2)
    #expect(requests.allSatisfy { $0 != nil })
  }

  @Test("a destination that does not answer has one running attempt, and does not delay others")
  func slowDestination() throws {
    var urls: [String] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [DemoProvider.self], report: { _ in }) {
      url, _, _, then in
      urls.append(url)
      if !url.contains("slow") { then(.answered(status: 200, body: "")) }
    }
    world.receiver.isSilent = true
    for number in Self.numbers { try sendCode(to: number, reportingTo: "http://slow:80/") }
    for _ in 0..<3 { try sendCode(reportingTo: "http://quick:80/") }

    while world.sandboxes.mayHaveReadyWebhooks { tick(dispatch) }

    #expect(urls == ["http://slow:80/", "http://quick:80/", "http://quick:80/", "http://quick:80/"])
    #expect(try world.sandbox.webhooks.ready(limit: 200).count == 100)
  }

  @Test("a webhook that cannot be rendered does not delay the next one to its destination")
  func renderedInOneTick() throws {
    var urls: [String] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [DemoProvider.self], report: { _ in }) {
      url, _, _, _ in
      urls.append(url)
    }
    world.receiver.isSilent = true
    try enqueue(to: "http://one:80/a")
    try enqueue(to: "http://one:80/b", kind: "other")
    try sendCode(reportingTo: "http://one:80/c")

    tick(dispatch)

    #expect(urls == ["http://one:80/c"])
  }

  @Test("results for a removed sandbox are dropped")
  func removed() throws {
    var callbacks: [(WebhookAttempt.Result) -> Void] = []
    var reports: [String] = []
    let dispatch = WebhookDispatch(
      world.sandboxes, providers: [DemoProvider.self], report: { reports.append($0) }
    ) {
      callbacks.append($3)
    }
    world.receiver.isSilent = true
    try sendCode()
    tick(dispatch)
    _ = try world.sandboxes.reset(world.sandbox)
    try sendCode()

    for callback in callbacks { callback(.unanswered(why: "late")) }

    #expect(callbacks.count == 1)
    #expect(try newest().tries == 0)
    #expect(reports.isEmpty)
  }

  private func tick(_ dispatch: WebhookDispatch) {
    dispatch.prepare()
    dispatch.sendReady()
  }
}

extension Request {
  /// A request for a code by the example provider.
  fileprivate static func code(to number: String = "+12025550100", reportingTo url: String) -> Request {
    let headers: Headers = [
      "Authorization": "Bearer demo_sandbox0000000000000000", "Content-Type": "application/json",
    ]
    let body = #"{"number":"\#(number)","callback":"\#(url)"}"#
    return .to("/codes", .post, headers: headers, body: Array(body.utf8))
  }
}
