import Domain
import HTTP
import Testing

@Suite("Control · events")
struct EventRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test("events are shown in order with a cursor")
  func list() throws {
    try desk.send()
    let message = desk.sandbox.newestOrdinal
    let verification = message - 2

    #expect(
      try desk.ask("GET /control/events")
        == #"200 {"events":[{"id":\#(verification),"at":"2026-01-05T10:20:30.000Z","kind":"verification.started","#
        + #""provider":"acme","to":"+12025550100"},{"id":\#(message),"at":"2026-01-05T10:20:30.000Z","#
        + #""kind":"message.sent","provider":"acme","to":"+12025550100"}],"cursor":\#(message),"hasMore":false}"#
    )
  }

  @Test("a list continues after the cursor")
  func cursor() throws {
    try desk.send()
    let message = desk.sandbox.newestOrdinal

    #expect(
      try desk.ask("GET /control/events?after=\(message)")
        == #"200 {"events":[],"cursor":\#(message),"hasMore":false}"#)
    #expect(try desk.ask("GET /control/events?after=\(message - 1)").contains(#""kind":"message.sent""#))
  }

  @Test("a waiting client gets an answer at the next event")
  func waiting() throws {
    let reply = try #require(desk.wait("GET /control/events?wait=30"))
    let before = try reply.answer()

    try desk.send()

    #expect(before == nil)
    #expect(try desk.answer(reply.answer()) == (try desk.ask("GET /control/events")))
  }

  @Test("at the timeout a waiting client gets an empty list")
  func impatience() throws {
    let reply = try #require(desk.wait("GET /control/events?after=7&wait=1"))

    #expect(try desk.answer(reply.onTimeout()) == #"200 {"events":[],"cursor":7,"hasMore":false}"#)
  }
}
