import Basics
import Control
import Domain
import HTTP
import Support
import Testing

@Suite("Control · dispatcher")
struct DispatcherTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  // MARK: Which sandbox

  @Test(
    "a sandbox is chosen by the header, then the path prefix, then the credentials, else it is the default one",
    arguments: [
      ("/s/b", "c", "key-d", "c"), ("/s/b", nil, "key-d", "b"), ("", "c", "key-d", "c"),
      ("", nil, "key-d", "d"),
      ("", nil, "key-nobody", "default"), ("", nil, nil, "default"), ("/s/default", nil, "key-d", "default"),
    ] as [(String, String?, String?, String)])
  func choice(prefix: String, header: String?, key: String?, sandbox: String) throws {
    for name in ["b", "c", "d"] { _ = try desk.ask("POST /control/sandboxes", #"{"name":"\#(name)"}"#) }
    var headers = Headers()
    if let header { headers.add("X-Sandbox", header) }
    if let key { headers.add("X-Acme-Key", key) }

    #expect(
      try desk.ask("GET \(prefix)/things/v1/things/a", headers: headers) == "200 a in \(sandbox) for nobody")
  }

  @Test(
    "a body that is too large gets the format of the path's owner, and plain text elsewhere",
    arguments: [
      ("/control/seed", #"{"error":"body: expected at most 99 bytes"}"#),
      ("/s/default/control/clock", #"{"error":"body: expected at most 99 bytes"}"#),
      ("/things/v1/things", "acme: The body is too large."),
      ("/s/default/things/v1/nowhere", "acme: The body is too large."),
      ("/nowhere", "The body is too large.\n"),
    ])
  func largeBody(path: String, said: String) {
    let head = RequestHead(method: .post, target: Target(path), headers: ["Host": "127.0.0.1:5550"])

    let answer = desk.world.dispatcher.response(to: .bodyTooLarge, after: head, bodyLimit: 99)

    #expect(answer.status == 413 && String(decoding: answer.body, as: UTF8.self) == said)
    #expect(
      desk.world.dispatcher.response(to: .requestTimeout, after: head, bodyLimit: 99).status == 408)
  }

  @Test(
    "prefixes of sandbox and owner can be combined",
    arguments: ["/s/default/acme", "/acme", "/acme-things", "/s/default"])
  func prefixes(prefix: String) throws {
    #expect(try desk.ask("GET \(prefix)/things/v1/things/a") == "200 a in default for nobody")
  }

  @Test("under an owner's prefix another owner's routes are not found")
  func foreignPrefix() throws {
    #expect(try desk.ask("GET /acme/control/clock") == "404 acme: no such path")
  }

  // MARK: Requests without a route

  @Test("an unknown path under an owner's prefix or host is rejected in its format")
  func unknownPath() throws {
    #expect(try desk.ask("GET /acme/nothing") == "404 acme: no such path")
    #expect(
      try desk.world.answer(Request(.get, Target("/nothing"), headers: ["Host": "API.acme.example:443"])).body
        == Array("acme: no such path".utf8))
  }

  @Test("a wrong method is rejected in the owner's format")
  func wrongMethod() throws {
    #expect(try desk.ask("DELETE /things/v1/things/a") == #"405 acme: only ["GET", "PUT"]"#)
    #expect(try desk.ask("PATCH /control/entropy") == #"405 {"error":"wrong method; expected GET, PUT"}"#)
    #expect(try desk.respond("PATCH /control/entropy").headers["Allow"] == "GET, PUT")
  }

  @Test("an operation that is not emulated is rejected in the owner's format")
  func notEmulated() throws {
    #expect(try desk.ask("PUT /things/v1/things/a") == "501 acme: not here")
  }

  @Test("a broken escape in the path is rejected in the owner's format")
  func brokenPath() throws {
    #expect(
      try desk.ask("GET /things/v1/things/%ff") == "400 acme: thing: a path segment in percent-encoded UTF-8")
    #expect(
      try desk.ask("GET /control/subscribers/%zz")
        == #"400 {"error":"number: expected a path segment in percent-encoded UTF-8","field":"number"}"#)
  }

  // MARK: Handlers

  @Test(
    "HEAD works wherever GET does",
    arguments: ["/things/v1/things/a", "/control/clock", "/livez", "/control/inbox"])
  func head(path: String) throws {
    #expect(try desk.respond("HEAD \(path)") == (try desk.respond("GET \(path)")))
  }

  @Test("every answer has a date and its owner's fields")
  func headers() throws {
    let response = try desk.respond("POST /things/v1/things")

    #expect(
      response.headers == [
        "Content-Type": "text/plain; charset=utf-8", "Date": "Mon, 05 Jan 2026 10:20:30 GMT",
        "X-Acme": "default",
      ])
  }

  @Test("an answer of the control API is JSON with a date")
  func controlHeaders() throws {
    let response = try desk.respond("GET /control/clock")

    #expect(
      response.headers == [
        "Content-Type": "application/json; charset=utf-8", "Date": "Mon, 05 Jan 2026 10:20:30 GMT",
      ])
  }

  @Test("changes before an error response are kept")
  func refusalKeeps() throws {
    #expect(try desk.ask("POST /things/v1/refused") == "422 acme: no")
    #expect(try desk.sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent])
  }

  @Test("an internal error is a 500 in the owner's format, undoes the request and is reported")
  func failure() throws {
    let answer = try desk.ask("POST /things/v1/broken")

    #expect(answer == "500 acme: our fault")
    #expect(try desk.sandbox.events.after(0) == [])
    #expect(desk.world.reports == ["POST /things/v1/broken: TestError()"])
  }

  @Test("a malformed request is not reported as an internal error")
  func malformed() throws {
    #expect(
      try desk.ask("GET /things/v1/things/a?for=%zz") == "400 acme: for: a value in percent-encoded UTF-8")
    #expect(desk.world.reports == [])
  }

  @Test("a delayed answer is sent after the delay in real time")
  func later() throws {
    let reply = try #require(desk.wait("POST /things/v1/slow"))

    #expect(try reply.answer() == nil)
    #expect(reply.timeout == .seconds(5))
    #expect(try desk.answer(reply.onTimeout()) == "201 created")
  }

  @Test("a delayed answer is written to the journal once, when it is sent")
  func journalOfLater() throws {
    let reply = try #require(desk.wait("POST /things/v1/slow"))
    let before = desk.sandbox.journal.exchanges.count

    try desk.sandbox.advance(by: .seconds(5))
    _ = try reply.onTimeout()

    #expect(before == 0)
    #expect(desk.sandbox.journal.exchanges.map(\.at) == [TestSandbox.start + .seconds(5)])
  }

  @Test(
    "an error before any handler has the owner's format",
    arguments: [("/things/v1/things", "acme: our fault"), ("/s/x/acme/nothing", "acme: our fault")])
  func failureForRequest(path: String, body: String) {
    let response = desk.world.dispatcher.errorResponse(
      for: .internalError, to: Request(.post, Target(path), headers: ["Host": "h"]))

    #expect(response.status == 500)
    #expect(response.body == Array(body.utf8))
    #expect(response.headers["X-Acme"] == "default")
  }

  @Test("only a seed may have a larger body than the server's default")
  func bodyLimits() {
    let limits = ["/control/seed", "/s/ci/control/seed", "/control/clock", "/nowhere"].map {
      desk.world.dispatcher.bodyLimit(.post, path: $0, host: "h")
    }

    #expect(limits == [8 << 20, 8 << 20, nil, nil])
  }
}
