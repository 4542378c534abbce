import Domain
import Foundation
import HTTP
import Testing

@Suite("Control · inbox")
struct InboxRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  static let none = #"200 {"messages":[],"cursor":0,"hasMore":false}"#

  /// The first message of a fresh world, as the inbox shows it.
  func message(_ id: Int, to number: String = "+12025550100", code: String = "413618") -> String {
    let digits = String(id)
    return
      #"{"id":"msg_\#(String(repeating: "0", count: 6 - digits.count))\#(digits)","channel":"sms","to":"\#(number)","from":"Acme","#
      + #""provider":"acme","verificationId":"AC\#(id - 2)","text":"Your code is \#(code)","code":"\#(code)","#
      + #""encoding":"gsm7","segments":1,"submittedAt":"2026-01-05T10:20:30.000Z","#
      + #""arrivedAt":"2026-01-05T10:20:30.000Z","holder":{"subscriber":1,"iccid":"\#(iccid(number))","present":true},"state":"ACCEPTD","receipts":[]}"#
  }

  private func iccid(_ number: String) -> String {
    PhoneNumber(number).flatMap { try? desk.sandbox.subscribers[$0].iccid } ?? ""
  }

  @Test("a waiting request costs nothing until its own sandbox changes")
  func unchangedSandbox() throws {
    let sandbox = desk.sandbox
    let before = sandbox.changeCount
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"other"}"#)
    let created = sandbox.changeCount
    _ = try desk.ask("GET /s/other/control/clock")

    #expect(created > before)
    #expect(sandbox.changeCount == created)
  }

  @Test("an empty inbox is an empty list", arguments: ["/control/inbox", "/control/inbox/+12025550100"])
  func empty(path: String) throws {
    #expect(try desk.ask("GET \(path)") == Self.none)
  }

  @Test(
    "messages are listed with a cursor", arguments: ["/control/inbox", "/control/inbox/+12025550100"])
  func list(path: String) throws {
    try desk.send()
    let id = desk.sandbox.newestOrdinal

    #expect(
      try desk.ask("GET \(path)") == #"200 {"messages":[\#(message(id))],"cursor":\#(id),"hasMore":false}"#)
  }

  @Test(
    "an inbox belongs to a phone number, an email address or a device",
    arguments: [
      ("foo", ""), ("12", ""), ("+1202", ""), ("a@", ""), ("a@b@c", ""),
      ("12025550100", #"; did you mean \"+12025550100\"?"#),
      ("0012025550100", #"; did you mean \"+12025550100\"?"#),
    ])
  func unknownOwner(text: String, meant: String) throws {
    let refused =
      #"400 {"error":"number: expected a phone number such as +12025550100, an email address, or the push token of a "#
      + #"device; found \"\#(text)\"\#(meant)","field":"number"}"#

    for line in ["GET", "DELETE"].map({ "\($0) /control/inbox/\(text)" }) {
      #expect(try desk.ask(line) == refused)
    }
    for path in ["latest", "latest/code"] {
      #expect(try desk.ask("GET /control/inbox/\(text)/\(path)") == refused)
    }
    #expect(try desk.ask("GET /control/inbox/ada@example.com") == Self.none)
  }

  @Test("receipts are shown from their time on")
  func receipts() throws {
    try desk.send()
    _ = try desk.ask("POST /control/clock", #"{"advance":"1s"}"#)

    #expect(
      try desk.ask("GET /control/inbox/latest").hasSuffix(
        #""state":"DELIVRD","receipts":[{"state":"ENROUTE","atMs":50},{"state":"DELIVRD","atMs":200}]}"#))
  }

  @Test(
    "`latest` is the newest message",
    arguments: ["/control/inbox/latest", "/control/inbox/+12025550100/latest"])
  func latest(path: String) throws {
    try desk.send()
    let id = desk.sandbox.newestOrdinal

    #expect(try desk.ask("GET \(path)") == "200 \(message(id))")
  }

  @Test(
    "the newest code is plain text",
    arguments: ["/control/inbox/latest/code", "/control/inbox/+12025550100/latest/code"])
  func code(path: String) throws {
    try desk.send()

    let response = try desk.respond("GET \(path)")

    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(String(decoding: response.body, as: UTF8.self) == "413618")
  }

  @Test("without a message, latest is 404")
  func noLatest() throws {
    #expect(
      try desk.ask("GET /control/inbox/+12025550100/latest")
        == #"404 {"error":"there is no message for +12025550100 yet"}"#)
    #expect(
      try desk.ask("GET /control/inbox/latest/code") == "404 there is no code for anybody yet\n")
  }

  @Test(
    "a query narrows the inbox",
    arguments: [
      ("channel=sms", 2), ("channel=call", 0), ("provider=acme", 2), ("provider=other", 0),
      ("channel=sms&provider=acme", 2), ("after=0", 2), ("after=999999", 0), ("wait=0", 2),
    ])
  func filters(query: String, count: Int) throws {
    try desk.send(to: "+12025550100")
    try desk.send(to: "+12025550101")

    let answer = try desk.ask("GET /control/inbox?\(query)")

    #expect(answer.components(separatedBy: #""id":"#).count - 1 == count)
  }

  @Test("a list continues after its cursor")
  func cursor() throws {
    try desk.send(to: "+12025550100")
    let seen = desk.sandbox.newestOrdinal
    try desk.send(to: "+12025550101")
    let id = desk.sandbox.newestOrdinal

    #expect(
      try desk.ask("GET /control/inbox?after=\(seen)").hasSuffix(
        #""receipts":[]}],"cursor":\#(id),"hasMore":false}"#))
    #expect(
      try desk.ask("GET /control/inbox?after=\(id)")
        == #"200 {"messages":[],"cursor":\#(id),"hasMore":false}"#)
  }

  @Test("clearing one handset leaves the others, clearing all leaves none")
  func clear() throws {
    try desk.send(to: "+12025550100")
    try desk.send(to: "+12025550101")

    let first = try desk.ask("DELETE /control/inbox/+12025550100")
    let left = try desk.ask("GET /control/inbox/+12025550101/latest/code").hasPrefix("200")
    let second = try desk.ask("DELETE /control/inbox")

    #expect([first, second] == ["204", "204"])
    #expect(left)
    #expect(try desk.ask("GET /control/inbox") == Self.none)
  }

  @Test(
    "a waiting client gets an answer when a message arrives",
    arguments: [
      "/control/inbox", "/control/inbox/latest", "/control/inbox/latest/code", "/control/inbox/+12025550100",
      "/control/inbox/+12025550100/latest", "/control/inbox/+12025550100/latest/code",
    ])
  func waiting(path: String) throws {
    let reply = try #require(desk.wait("GET \(path)?wait=30"))
    let before = try reply.answer()

    try desk.send()

    #expect(before == nil)
    #expect(reply.timeout == .seconds(30))
    #expect(try desk.answer(reply.answer()) == (try desk.ask("GET \(path)")))
  }

  @Test("a waiting client gets no answer for entries that do not match")
  func waitingForOther() throws {
    let reply = try #require(desk.wait("GET /control/inbox/+12025550101/latest/code?wait=5"))

    try desk.send(to: "+12025550100")

    #expect(try reply.answer() == nil)
  }

  @Test(
    "at the timeout a waiting client gets the same answer as one that does not wait",
    arguments: ["/control/inbox", "/control/inbox/latest", "/control/inbox/latest/code"])
  func impatience(path: String) throws {
    let reply = try #require(desk.wait("GET \(path)?wait=1"))

    #expect(try desk.answer(reply.onTimeout()) == (try desk.ask("GET \(path)")))
  }

  @Test("a slow message wakes a waiting client when it arrives")
  func late() throws {
    _ = try desk.ask("PUT /control/scenarios", #"{"scenarios":[{"outcome":"slow","afterMs":20000}]}"#)
    let reply = try #require(desk.wait("GET /control/inbox/latest/code?wait=30"))
    try desk.send()
    let before = try reply.answer()

    _ = try desk.ask("POST /control/clock", #"{"advance":"20s"}"#)

    #expect(before == nil)
    #expect(try desk.answer(reply.answer()) == "200 413618")
  }

  @Test("a late message is the last one, with the time of its arrival, and a reader's cursor finds it")
  func orderOfArrival() throws {
    _ = try desk.ask("PUT /control/scenarios", #"{"scenarios":[{"match":{"nth":1},"outcome":"slow"}]}"#)
    try desk.send()
    try desk.send()
    let cursor = desk.sandbox.newestOrdinal
    let before = try desk.ask("GET /control/inbox/+12025550100/latest")

    _ = try desk.ask("POST /control/clock", #"{"advance":"20s"}"#)

    let after = try desk.ask("GET /control/inbox/+12025550100/latest")
    let next = try desk.ask("GET /control/inbox/+12025550100?after=\(cursor)")
    #expect(before.contains(#""arrivedAt":"2026-01-05T10:20:30.000Z""#))
    #expect(after.contains(#""arrivedAt":"2026-01-05T10:20:50.000Z""#))
    #expect(next.contains(#""arrivedAt":"2026-01-05T10:20:50.000Z""#))
    #expect(
      try desk.ask("GET /control/messages?order=newest&limit=1").contains(
        #""arrivedAt":"2026-01-05T10:20:30.000Z""#))
  }

  @Test("after a SIM swap, the inbox is that of the new card; the previous holder's is there on demand")
  func holders() throws {
    let old = iccid("+12025550100")
    try desk.send()
    _ = try desk.ask("POST /control/subscribers/+12025550100/events", #"{"event":"simSwap"}"#)

    let holder = #""holder":{"subscriber":1,"iccid":"\#(old)","present":false}"#
    #expect(try desk.ask("GET /control/inbox/+12025550100") == Self.none)
    #expect(
      try desk.ask("GET /control/inbox/+12025550100/latest/code")
        == "404 there is no code for +12025550100 yet: the text stayed with the previous holder of the number\n"
    )
    #expect(try desk.ask("GET /control/inbox/+12025550100/latest?holder=previous").contains(holder))
    #expect(try desk.ask("GET /control/inbox/+12025550100/latest/code?holder=all") == "200 413618")
    #expect(try desk.ask("GET /control/inbox").contains(holder))
    #expect(
      try desk.ask("GET /control/inbox/+12025550100?holder=former")
        == #"400 {"error":"holder: expected one of present, previous, all; found \"former\"","field":"holder"}"#
    )
  }

  @Test("a waiting client survives a reset")
  func reset() throws {
    let reply = try #require(desk.wait("GET /control/inbox/latest/code?wait=30"))

    _ = try desk.ask("POST /control/reset")
    try desk.send()

    #expect(try desk.answer(reply.answer()) == "200 413618")
  }

  @Test("a client waiting in a deleted sandbox gets an empty answer")
  func removed() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#)
    let reply = try #require(desk.wait("GET /s/ci/control/inbox/latest/code?wait=30"))

    _ = try desk.ask("DELETE /control/sandboxes/ci")

    #expect(try reply.answer() == nil)
    #expect(try desk.answer(reply.onTimeout()) == "404 there is no code for anybody yet\n")
  }
}
