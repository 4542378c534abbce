import HTTP
import JSON
import Testing

@Suite("Control · journal")
struct JournalRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test(
    "a rejected request has its reason",
    arguments: [
      ("POST /things/v1/refused", "refuseThing", "the thing is taken"),
      (
        "PUT /things/v1/things/a", "replaceThing",
        "not emulated: acme has this operation, the sandbox does not"
      ),
      ("GET /things/v1/things/a?for=%zz", "fetchThing", "for: expected a value in percent-encoded UTF-8"),
      ("POST /things/v1/broken", "breakThing", "internal error: TestError()"),
    ] as [(String, String?, String)])
  func why(line: String, route: String?, why: String) throws {
    _ = try desk.ask(line)

    let exchange = try desk.newestExchange()
    #expect(exchange["why"] == .string(why))
    #expect(exchange["route"] == route.map { .string($0) } ?? .null)
  }

  @Test("a waiting client gets an answer when a request matches")
  func waiting() throws {
    let reply = try #require(desk.wait("GET /control/journal/wait?route=createThing&wait=30"))
    _ = try desk.ask("GET /things/v1/things/a")
    let before = try reply.answer()

    try desk.send()

    #expect(before == nil)
    #expect(try desk.answer(reply.answer()) == (try desk.ask("GET /control/journal?route=createThing")))
  }

  @Test("at the timeout a waiting client gets 404")
  func impatience() throws {
    let reply = try #require(desk.wait("GET /control/journal/wait?wait=1"))

    #expect(
      try desk.answer(reply.onTimeout()) == #"404 {"error":"there is no such request in the journal yet"}"#)
  }
}
