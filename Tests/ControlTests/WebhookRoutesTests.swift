import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · webhooks")
struct WebhookRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  private func create(tell url: String = "http://127.0.0.1:9/hook") throws {
    _ = try desk.respond("POST /things/v1/things", "callback=\(PercentCoding.encode(url))")
  }

  /// The members of the webhooks that a request is answered with, a line each.
  private func lines(_ query: String = "") throws -> [String] {
    let answer = try Fields(desk.respond("GET /control/webhooks\(query)").body)
    return try answer.objects("webhooks").map { webhook in
      "\(try webhook.string("kind")) \(try webhook.string("url")) \(try webhook.string("state"))"
    }
  }

  @Test("a webhook is shown with its attempts and its next one")
  func list() throws {
    desk.world.receiver.answer = .answered(status: 500, body: "oh")
    try create()
    let webhook = try #require(try desk.sandbox.webhooks.latest)

    #expect(
      try desk.ask("GET /control/webhooks")
        == #"200 {"webhooks":[{"id":"\#(webhook.id)","provider":"acme","kind":"thing.created","#
        + #""url":"http://127.0.0.1:9/hook","state":"pending","why":null,"createdAt":"2026-01-05T10:20:30.000Z","#
        + #""nextAttemptAt":"2026-01-05T10:21:30.000Z","underWay":false,"#
        + #""request":{"headers":["Content-Type: application/json"],"body":"{\"thing\":1}"},"#
        + #""attempts":[{"number":1,"at":"2026-01-05T10:20:30.000Z","status":500,"error":null,"answer":"oh"}]}],"#
        + #""cursor":\#(webhook.ordinal),"hasMore":false}"#)
  }

  @Test("webhooks are found by provider, kind, state and cursor")
  func filters() throws {
    try create()
    desk.world.receiver.answer = .refused(why: "no")
    try create(tell: "http://a.test/?token=t")
    let delivered = "thing.created http://127.0.0.1:9/hook delivered"
    let refused = "thing.created http://a.test/?token=******** refused"

    #expect(try lines() == [delivered, refused])
    #expect(try lines("?provider=twilio") == [])
    #expect(try lines("?provider=acme&kind=thing.created&state=refused") == [refused])
    #expect(try lines("?after=\(try #require(try desk.sandbox.webhooks.latest).ordinal - 1)") == [refused])
  }

  @Test("a waiting client gets an answer when there is one")
  func waiting() throws {
    let reply = try #require(desk.wait("GET /control/webhooks?state=delivered&wait=30"))
    let before = try reply.answer()

    try create()

    #expect(before == nil)
    #expect(try desk.answer(reply.answer())?.contains(#""state":"delivered""#) == true)
  }

  @Test(
    "a webhook is found by its id and as latest; unknown ids are 404",
    arguments: [
      "whk_000001", "whk_", "whk_x", "12", "msg_000001",
    ])
  func find(unknown: String) throws {
    try create()
    let id = try #require(try desk.sandbox.webhooks.latest).id

    #expect(try desk.ask("GET /control/webhooks/\(id)") == desk.ask("GET /control/webhooks/latest"))
    #expect(
      try desk.ask("GET /control/webhooks/\(unknown)")
        == #"404 {"error":"there is no webhook \#(unknown)"}"#)
  }

  @Test("a replay sends the same bytes again and answers after the attempt")
  func replay() throws {
    try create()

    let answer = try desk.respond("POST /control/webhooks/latest/replay")

    let body = try Fields(answer.body)
    #expect(answer.status == 200)
    #expect(try body.objects("attempts").count == 2)
    #expect(desk.world.receiver.deliveries.map(\.body) == [#"{"thing":1}"#, #"{"thing":1}"#])
  }

  @Test("a replay that has not ended at the timeout answers 202")
  func slowReplay() throws {
    try create()
    desk.world.receiver.isSilent = true

    let answer = try desk.respond("POST /control/webhooks/latest/replay")

    #expect(answer.status == 202)
    #expect(try Fields(answer.body).bool("underWay"))
  }

  @Test("the clock's answer waits for attempts that come due on the way")
  func clock() throws {
    try create()
    desk.world.receiver.answer = .unanswered(why: "down")
    desk.world.receiver.isSilent = true
    try create()
    let reply = try #require(desk.wait("POST /control/clock", #"{"advance":"5m"}"#))
    let before = try reply.answer()
    let shown = try desk.ask("GET /control/clock")
    desk.world.receiver.isSilent = false

    desk.world.sendWebhooks()

    #expect(before == nil)
    #expect(
      shown == #"200 {"mode":"frozen","now":"2026-01-05T10:20:30Z","towards":"2026-01-05T10:25:30Z"}"#)
    #expect(
      try desk.answer(reply.answer()) == #"200 {"mode":"frozen","now":"2026-01-05T10:25:30Z"}"#)
    #expect(
      try desk.sandbox.webhooks.attempts(of: #require(try desk.sandbox.webhooks.latest).ordinal).count == 3)
  }

  @Test("a clock that has not reached its target at the timeout answers 202")
  func impatientClock() throws {
    desk.world.receiver.isSilent = true
    try create()

    #expect(
      try desk.ask("POST /control/clock", #"{"advance":"5m"}"#)
        == #"202 {"mode":"frozen","now":"2026-01-05T10:20:30Z","towards":"2026-01-05T10:25:30Z"}"#)
  }

  @Test("a signing header is shown, a credential is not")
  func masking() throws {
    let webhook = try desk.sandbox.webhooks.enqueue(
      WebhookDraft(provider: "acme", url: "http://127.0.0.1:9/", kind: "x", subject: 1))
    try desk.sandbox.webhooks.keep(
      .json([], .init("Authorization", "Bearer secret"), .init("X-Signature", "abc")), of: webhook)

    let shown = try desk.ask("GET /control/webhooks/latest")

    #expect(shown.contains(#""Authorization: Bearer ********","X-Signature: abc""#))
  }
}
