import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · webhook faults")
struct WebhookFaultTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  private func set(_ fault: String) throws {
    let answer = try desk.ask("PUT /control/webhooks/faults", #"{"webhookFaults":[\#(fault)]}"#)
    #expect(answer.hasPrefix("200"))
  }

  /// Acme sends a webhook to a path of a receiver.
  private func tell(_ path: String, port: Int = 9) throws {
    let url = PercentCoding.encode("http://127.0.0.1:\(port)/\(path)")
    _ = try desk.respond("POST /things/v1/things", "callback=\(url)")
  }

  /// The last letter of the URL of each request to the receiver.
  private var arrivals: String { String(desk.world.receiver.deliveries.compactMap(\.url.last)) }

  private func latest() throws -> JSON {
    try JSON(parsing: desk.respond("GET /control/webhooks/latest").body)
  }

  private func advance(_ span: String) throws {
    _ = try desk.respond("POST /control/clock", #"{"advance":"\#(span)"}"#)
  }

  private var webhookEvents: [String] {
    get throws {
      try desk.sandbox.events.after(0).map(\.kind.rawValue).filter { $0.hasPrefix("webhook.") }
    }
  }

  @Test("a lost webhook is never sent, says why, and can be replayed")
  func lost() throws {
    try set(#"{"delivery":"lost"}"#)

    try tell("a")
    let (webhook, events) = (try latest(), try webhookEvents)
    try advance("1d")

    #expect(arrivals == "")
    #expect(webhook["state"]?.text == "lost")
    #expect(
      webhook["why"]?.text
        == "broken on purpose: webhook fault 1: lost (to end it: Break, or /control/webhooks/faults)")
    #expect(events == ["webhook.enqueued", "webhook.faultInjected", "webhook.lost"])
    #expect(try desk.ask("POST /control/webhooks/latest/replay").hasPrefix("200"))
    #expect(arrivals == "a")
    #expect(try latest()["state"]?.text == "delivered")
  }

  @Test("a late webhook is sent later, with the bytes of its time")
  func late() throws {
    try set(#"{"delayMs":60000}"#)

    try tell("a")
    let webhook = try latest()
    try advance("59s")
    let before = arrivals
    try advance("1s")

    #expect(webhook["state"]?.text == "pending")
    #expect(
      webhook["fault"]?.text
        == "broken on purpose: webhook fault 1: 60000 ms late (to end it: Break, or /control/webhooks/faults)"
    )
    #expect(webhook["nextAttemptAt"]?.text == "2026-01-05T10:21:30.000Z")
    #expect(webhook["request"]?["body"]?.text == #"{"thing":1}"#)
    #expect([before, arrivals] == ["", "a"])
    #expect(try webhookEvents == ["webhook.enqueued", "webhook.faultInjected", "webhook.delivered"])
  }

  @Test("a duplicate is sent once more with the same bytes, after it was acknowledged")
  func duplicate() throws {
    try set(#"{"delivery":"duplicate"}"#)
    desk.world.receiver.answer = .answered(status: 500, body: "")

    try tell("a")
    let first = arrivals
    desk.world.receiver.answer = .answered(status: 200, body: "")
    try advance("1d")

    #expect([first, arrivals] == ["a", "aaa"])
    #expect(Set(desk.world.receiver.deliveries.map(\.body)) == [#"{"thing":1}"#])
    #expect(try latest()["state"]?.text == "delivered")
    #expect(try latest()["attempts"]?.items.count == 3)
  }

  @Test("a reordered webhook changes places with the next one to the same receiver")
  func reorder() throws {
    try set(#"{"delivery":"reorder"}"#)

    for path in ["a", "b", "c", "d"] { try tell(path) }

    #expect(arrivals == "badc")
  }

  @Test("a reordered webhook waits for a minute, or as long as it may, and for no other receiver")
  func reorderAlone() throws {
    try set(#"{"delivery":"reorder","times":1},{"delivery":"reorder","nth":3,"delayMs":5000}"#)

    try tell("a")
    try tell("b", port: 10)
    try advance("59s")
    let before = arrivals
    try advance("1s")
    try tell("c")
    let waits = arrivals
    try advance("5s")

    #expect([before, waits, arrivals] == ["b", "ba", "bac"])
  }

  @Test("another content type")
  func contentType() throws {
    try set(#"{"contentType":"text/plain"}"#)

    try tell("a")

    #expect(desk.world.receiver.deliveries.map { $0["Content-Type"] } == ["text/plain"])
  }

  @Test("a fault can act on only some webhooks, and counts its matches")
  func turns() throws {
    try set(#"{"delivery":"lost","provider":"acme","kind":"thing.created","nth":2}"#)

    for path in ["a", "b", "c"] { try tell(path) }
    let rules = try JSON(parsing: desk.respond("GET /control/webhooks/faults").body)["webhookFaults"]?.items

    #expect(arrivals == "ac")
    #expect(rules?.first?["hits"] == .integer(3) && rules?.first?["applied"] == .integer(1))
  }

  @Test("a forged webhook is sent once, and says so")
  func forged() throws {
    desk.world.receiver.answer = .answered(status: 403, body: "no")

    let answer = try desk.respond(
      "POST /control/webhooks/forge",
      #"{"provider":"acme","url":"http://127.0.0.1:9/a","body":{"thing":2},"contentType":"text/plain"}"#)
    let webhook = try JSON(parsing: answer.body)
    try advance("1d")

    #expect(answer.status == 200)
    #expect(webhook["kind"]?.text == "thing.created" && webhook["state"]?.text == "failed")
    #expect(webhook["fault"]?.text == "forged by hand: wrong signature, the content type text/plain")
    #expect(desk.world.receiver.deliveries.map(\.body) == [#"{"thing":2}"#])
    #expect(desk.world.receiver.deliveries.map { $0["Content-Type"] } == ["text/plain"])
    #expect(try webhookEvents == ["webhook.enqueued", "webhook.forged", "webhook.failed"])
  }

  @Test("a forged webhook can be like another one, with its bytes or with a body of its own")
  func forgedLike() throws {
    try tell("a")

    _ = try desk.ask("POST /control/webhooks/forge", #"{"like":"latest","signature":"valid"}"#)
    _ = try desk.ask("POST /control/webhooks/forge", #"{"like":"latest","body":[2]}"#)

    #expect(arrivals == "aaa")
    #expect(desk.world.receiver.deliveries.map(\.body) == [#"{"thing":1}"#, #"{"thing":1}"#, "[2]"])
  }
}
