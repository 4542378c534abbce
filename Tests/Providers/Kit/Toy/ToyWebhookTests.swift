import Catalog
import Crypto
import Domain
import HTTP
import ProviderKit
import Support
import Testing

/// The way of a webhook from a handler to its receiver, with a provider that nobody has.
@Suite("Webhooks of a provider", .contract("Docs/Decisions/0020"))
struct ToyWebhookTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox(providers: catalog + [Toy.self]) }

  private var receiver: TestReceiver { world.receiver }

  private func knock(_ query: String = "?tell=http://127.0.0.1:9/hook") throws -> String {
    try world.send(.to("/knock/+12025550100\(query)", .put)).answer
  }

  private func newest() throws -> Webhook { try #require(try world.sandbox.webhooks.latest) }

  @Test("a request's webhook is worded, signed and sent once, after its answer is committed")
  func sent() throws {
    let answer = try knock()

    let delivery = try #require(receiver.deliveries.first)
    #expect(answer == "202 Who is there?")
    #expect(receiver.deliveries.count == 1)
    #expect(delivery.url == "http://127.0.0.1:9/hook" && delivery.timeout == .seconds(10))
    #expect(delivery.body == "\(try newest().id) +12025550100 2026-01-05T10:20:30.000Z")
    #expect(try newest().state == .delivered)
  }

  @Test("the sandbox's key signs, and its published half accepts the signature")
  func signature() throws {
    _ = try knock()

    let delivery = try #require(receiver.deliveries.first)
    let text = try #require(delivery["X-Toy-Signature"])
    let published = try world.send(.to("/control/webhooks/keys")).answer.dropFirst("200 ".count)
    let key = try #require(RSAPublicKey(pem: String(published)))
    let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    #expect(key.accepts(pssSignature: try #require(Base64.decode(plain)), of: delivery.request.body))
  }

  @Test("a receiver that is down gets it when it is up again, the same bytes in the documented spacing")
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

  @Test("a receiver that stays down is given up when the provider's schedule ends")
  func givenUp() throws {
    receiver.answer = .answered(status: 500, body: "no")
    _ = try knock()

    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"1d"}"#))

    #expect(try newest().state == .failed)
    #expect(try newest().reason == "not acknowledged in 31 attempts; the schedule has no more")
    #expect(receiver.deliveries.count == 31)
  }

  @Test("a destination that is refused is in the delivery log and in the journal, with the reason")
  func refused() throws {
    receiver.answer = .refused(reason: "a.test is too far")

    _ = try knock("?tell=http://me:pw@a.test/hook")

    #expect(try newest().state == .refused)
    let noted = try #require(world.sandbox.journal.last)
    #expect(noted.why == "webhook \(try newest().id) was not sent: a.test is too far")
    #expect([noted.owner, noted.method, noted.target] == ["toy", "POST", "http://********@a.test/hook"])
  }

  @Test(
    "what the provider does not tell, or cannot word, is not sent, and the log says why",
    arguments: [
      ("secret", "toy tells nobody of this"), ("other", "it could not be worded: nonsense"),
    ])
  func unworded(kind: String, reason: String) throws {
    #expect(try knock("?tell=http://127.0.0.1:9/&kind=\(kind)") == "202 Who is there?")

    #expect(receiver.deliveries.isEmpty)
    #expect(try newest().state == .failed)
    #expect(try newest().reason == reason)
  }

  @Test("a webhook of a provider that is gone is given up")
  func strange() throws {
    try world.sandbox.webhooks.enqueue(
      WebhookDraft(provider: "gone", url: "http://127.0.0.1:9/", kind: "x", subject: 0))

    world.sendWebhooks()

    #expect(try newest().reason == "there is no provider gone")
  }

  @Test("a request that is refused has sent nothing")
  func refusedRequest() throws {
    _ = try world.send(.to("/knock/1202?tell=http://127.0.0.1:9/", .put))

    #expect(receiver.deliveries.isEmpty)
  }

  @Test("no more than 32 attempts are under way at once, and the others follow as they end")
  func bounded() throws {
    var under: [(WebhookAttempt.Result) -> Void] = []
    var started = 0
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { _ in }) {
      under.append($3)
      started += 1
    }
    world.receiver.isSilent = true
    for _ in 0..<40 { _ = try knock() }

    turn(dispatch)
    #expect(started == 32)
    for then in under[..<8] { then(.answered(status: 200, body: "")) }
    turn(dispatch)

    #expect(started == 40)
    #expect(try world.sandbox.webhooks.ready(limit: 100).count == 32)
  }

  @Test("what a removed sandbox has sent is nobody's any more")
  func removed() throws {
    var under: [(WebhookAttempt.Result) -> Void] = []
    var reports: [String] = []
    let dispatch = WebhookDispatch(world.sandboxes, providers: [Toy.self], report: { reports.append($0) }) {
      under.append($3)
    }
    world.receiver.isSilent = true
    _ = try knock()
    turn(dispatch)
    _ = try world.sandboxes.reset(world.sandbox)
    _ = try knock()

    for then in under { then(.unanswered(reason: "late")) }

    #expect(under.count == 1)
    #expect(try newest().tries == 0)
    #expect(reports.isEmpty)
  }

  private func turn(_ dispatch: WebhookDispatch) {
    dispatch.prepare()
    dispatch.sendReady()
  }
}
