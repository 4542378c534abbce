import Domain
import HTTP
import Numbers
import Testing

@Suite("Control · inbox")
struct InboxRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

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

  @Test(
    "a waiting client gets an answer when a message arrives",
    arguments: [
      "/control/inbox", "/control/inbox/latest", "/control/inbox/latest/code", "/control/inbox/+12025550100",
      "/control/inbox/+12025550100/latest", "/control/inbox/+12025550100/latest/code", "/control/inbox/code",
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
