import Domain
import HTTP
import Testing

@Suite("Control · events")
struct EventRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

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
