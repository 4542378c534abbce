import Basics
import HTTP
import JSON
import Support
import Testing

@testable import Control

@Suite("Control · access with a token")
struct AccessTokenTests {
  let desk: Desk
  static let admin: Headers = ["Authorization": "Bearer admin-secret"]

  init() throws {
    desk = try Desk(tokens: AccessTokens(admin: "admin-secret", sandboxKey: Array(repeating: 7, count: 32)))
    for name in ["ci", "other.one"] {
      _ = try desk.ask(
        "POST /control/sandboxes", #"{"name":"\#(name)","clock":"2026-02-03T04:05:06Z"}"#, headers: Self.admin
      )
    }
  }

  @Test(
    "a request without the right token is refused",
    arguments: [
      nil, "", "Bearer", "Bearer ", "Bearer wrong", "Bearer admin-secre", "Bearer admin-secret2",
      "admin-secret", "Basic YWRtaW4tc2VjcmV0", "Bearer sandbox.ci.0", "Bearer sandbox.ci.",
      "Bearer sandbox.",
    ] as [String?])
  func refused(value: String?) throws {
    let headers: Headers = value.map { ["Authorization": $0] } ?? [:]
    let lines = [
      "GET /control/clock", "GET /control/sandboxes", "POST /control/reset", "GET /metrics",
      "GET /control/openapi.json", "PATCH /control/clock", "GET /s/nope/control/clock",
    ]
    for line in lines {
      let response = try desk.respond(line, headers: headers)
      #expect(response.status == 401, "\(line)")
      #expect(response.headers["WWW-Authenticate"] == #"Bearer realm="ringfence""#)
    }
  }

  @Test("the admin token opens everything, from every host and page")
  func adminToken() throws {
    var headers = Self.admin
    headers.append(["Origin": "https://ci.example"])

    for line in ["GET /control/sandboxes", "GET /s/ci/control/clock", "GET /metrics", "GET /control/clock"] {
      #expect(try desk.respond(line, headers: headers).status == 200, "\(line)")
    }
    #expect(try desk.respond("DELETE /control/sandboxes/ci", headers: headers).status == 204)
  }

  @Test("the scheme of the field ignores case")
  func scheme() throws {
    #expect(
      try desk.respond("GET /control/clock", headers: ["Authorization": "bearer admin-secret"]).status == 200)
  }

  @Test("a body needs the JSON content type with a token too")
  func contentType() throws {
    var headers = Self.admin
    headers.add("Content-Type", "text/plain")

    #expect(try desk.respond("PUT /control/entropy", "{}", headers: headers).status == 415)
  }

  // MARK: A sandbox's token

  @Test("a sandbox's token opens its control API, and selects the sandbox by itself")
  func ownSandbox() throws {
    let token = try token(of: "ci")

    for line in [
      "GET /control/clock", "GET /s/ci/control/clock", "POST /s/ci/control/reset", "POST /control/reset",
      "GET /control/sandboxes/ci", "GET /control/sandboxes/ci/export", "POST /control/sandboxes/ci/reset",
      "GET /control/inbox", "GET /control/journal", "GET /control/openapi.json",
    ] {
      #expect(try desk.respond(line, headers: token).status == 200, "\(line)")
    }
    #expect(try desk.ask("GET /control/clock", headers: token).contains("2026-02-03T04:05:06"))
  }

  @Test(
    "for a sandbox's token, it does not matter whether other sandboxes exist: the answer names both",
    arguments: [
      "GET /s/NAME/control/clock", "POST /s/NAME/control/reset", "GET /control/sandboxes/NAME",
      "GET /control/sandboxes/NAME/export", "POST /control/sandboxes/NAME/reset",
      "DELETE /s/NAME/control/inbox",
    ])
  func otherSandboxes(line: String) throws {
    let token = try token(of: "ci")
    for name in ["default", "other.one", "nope"] {
      let answer = try desk.ask(line.replacing("NAME", with: name), headers: token)
      #expect(answer == refusal(name))
    }
    var header = token
    header.add("X-Sandbox", "default")
    #expect(try desk.ask("GET /control/clock", headers: header) == refusal("default"))
  }

  private func refusal(_ name: String) -> String {
    #"404 {"error":"Authorization: this is the token of the sandbox ci, and the request is for \#(name); "#
      + "use the address and the token of one sandbox. In a workshop, both are on one card\","
      + #""field":"Authorization"}"#
  }

  @Test(
    "operations on the server require the admin token",
    arguments: [
      "GET /control/sandboxes", "POST /control/sandboxes", "DELETE /control/sandboxes/ci",
      "DELETE /control/sandboxes/other.one", "DELETE /control/sandboxes/nope", "GET /metrics",
      "POST /control/sandboxes/ci/tokens", "DELETE /control/sandboxes/ci/tokens",
      "PATCH /control/sandboxes/ci",
    ])
  func adminOperations(line: String) throws {
    #expect(
      try desk.ask(line, headers: token(of: "ci"))
        == #"403 {"error":"Authorization: this operation requires the admin token; found the token of sandbox ci","#
        + #""field":"Authorization"}"#)
  }

  @Test("the rules name operations that exist")
  func operationsExist() throws {
    let document = try JSON(parsing: desk.respond("GET /control/openapi.json", headers: Self.admin).body)
    let denied = try ["GET /control/sandboxes", "GET /metrics"].map {
      try desk.respond($0, headers: token(of: "ci")).status
    }

    #expect(denied == [403, 403])
    #expect(document["components"]?["securitySchemes"]?["token"]?["scheme"] == .string("bearer"))
    #expect(document["paths"]?["/livez"]?["get"]?["security"] == .array([]))
  }

  @Test("a handset cannot open the control API in another's name")
  func openOnHandset() throws {
    let answer = try desk.ask(
      "POST /control/devices/+12025550100/open",
      #"{"url":"http://127.0.0.1:5550/s/default/control/inbox","as":"android"}"#, headers: token(of: "ci"))

    #expect(!answer.contains("messages"))
  }

  @Test("a token stays valid after a reset of its sandbox")
  func afterReset() throws {
    let token = try token(of: "ci")
    _ = try desk.ask("POST /control/sandboxes/ci/reset", headers: Self.admin)

    #expect(try desk.respond("GET /control/clock", headers: token).status == 200)
  }

  // MARK: Revocation

  @Test("a revoked token opens nothing, and the sandbox has another one, also after a reset")
  func revocation() throws {
    let (old, other) = (try token(of: "ci"), try token(of: "other.one"))

    #expect(try desk.ask("DELETE /control/sandboxes/ci/tokens", headers: Self.admin) == "204")

    #expect(try desk.respond("GET /control/clock", headers: old).status == 401)
    let new = try token(of: "ci")
    #expect(new != old)
    _ = try desk.ask("POST /control/sandboxes/ci/reset", headers: Self.admin)
    #expect(try desk.respond("GET /control/clock", headers: new).status == 200)
    #expect(try desk.respond("GET /control/clock", headers: old).status == 401)
    #expect(try desk.respond("GET /control/clock", headers: other).status == 200)
  }

  @Test("a revoked token stays revoked when the sandbox is created again under its name, or restored there")
  func createdAgain() throws {
    let old = try token(of: "ci")
    let snapshot = try desk.respond("GET /control/sandboxes/ci/snapshot", headers: old).body
    _ = try desk.ask("DELETE /control/sandboxes/ci/tokens", headers: Self.admin)
    let new = try token(of: "ci")

    _ = try desk.ask("DELETE /control/sandboxes/ci", headers: Self.admin)
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#, headers: Self.admin)
    #expect(try desk.respond("GET /control/clock", headers: old).status == 401)
    #expect(try token(of: "ci") == new)

    _ = try desk.ask("DELETE /control/sandboxes/ci", headers: Self.admin)
    let text = String(decoding: snapshot, as: UTF8.self)
    #expect(
      try desk.respond("PUT /control/sandboxes/ci/snapshot", text, headers: Self.admin).status == 201)
    #expect(try desk.respond("GET /control/clock", headers: old).status == 401)
    #expect(try desk.respond("GET /control/clock", headers: new).status == 200)
  }

  @Test("whoever has a sandbox's token cannot bring back a revoked one by a snapshot")
  func restoredToken() throws {
    let old = try token(of: "ci")
    let snapshot = try desk.respond("GET /control/sandboxes/ci/snapshot", headers: old).body
    _ = try desk.ask("DELETE /control/sandboxes/ci/tokens", headers: Self.admin)
    let new = try token(of: "ci")

    let text = String(decoding: snapshot, as: UTF8.self)
    #expect(try desk.respond("PUT /control/sandboxes/ci/snapshot", text, headers: new).status == 200)

    #expect(try desk.respond("GET /control/clock", headers: old).status == 401)
    #expect(try desk.respond("GET /control/clock", headers: new).status == 200)
  }

  @Test("a request that waits with a revoked token is answered with 401; the administrator's goes on")
  func waiting() throws {
    let line = "GET /s/ci/control/inbox?wait=30"
    let (own, admins) = (
      desk.wait(line, headers: try token(of: "ci")), desk.wait(line, headers: Self.admin)
    )

    _ = try desk.ask("DELETE /control/sandboxes/ci/tokens", headers: Self.admin)

    #expect(try own?.answer()?.status == 401)
    #expect(try #require(admins).answer() == nil)
  }

  @Test("an event stream ends with the reason when its token is revoked; the administrator's goes on")
  func stream() throws {
    func stream(_ headers: Headers) throws -> BodyPieces {
      var headers = headers
      headers.add("Host", "127.0.0.1:5550")
      let request = Request.to("/s/ci/control/events/stream", headers: headers)
      guard case .streamed(_, let body) = desk.world.reply(to: request) else { throw NoStream() }
      _ = try body.collect()
      return body
    }
    let (own, admins) = (try stream(token(of: "ci")), try stream(Self.admin))
    #expect(!own.hasNews)

    _ = try desk.ask("DELETE /control/sandboxes/ci/tokens", headers: Self.admin)

    #expect(own.hasNews)
    #expect(
      try String(decoding: own.collect(), as: UTF8.self)
        == "event: end\ndata: {\"why\":\"the token was revoked\"}\n\n")
    #expect(try own.next(size: 100) == .end)
    #expect(try admins.next(size: 100) != .end)
  }

  private struct NoStream: Error {}

  @Test("the token of a deleted sandbox opens nothing")
  func afterDeletion() throws {
    let token = try token(of: "ci")
    _ = try desk.ask("DELETE /control/sandboxes/ci", headers: Self.admin)

    #expect(try desk.ask("GET /control/clock", headers: token) == #"404 {"error":"there is no sandbox ci"}"#)
  }

  @Test("a new sandbox comes with its token, and a listed one without")
  func creation() throws {
    let made = try JSON(
      parsing: desk.respond("POST /control/sandboxes", #"{"name":"new"}"#, headers: Self.admin).body)
    let listed = try desk.ask("GET /control/sandboxes", headers: Self.admin)

    #expect(try made["token"]?.text.map { "Bearer \($0)" } == (token(of: "new")["Authorization"]))
    #expect(!listed.contains("token\":\"sandbox."))
  }

  @Test("without an admin token there are no tokens of sandboxes")
  func noTokens() throws {
    let open = try Desk()

    #expect(
      try open.ask("POST /control/sandboxes/default/tokens")
        == #"409 {"error":"this server requires no token; start it with: ringfence serve --admin-token TOKEN"}"#
    )
    #expect(try !open.ask("POST /control/sandboxes", #"{"name":"new"}"#).contains("token\":\"sandbox."))
  }

  // MARK: Guessing

  /// The status of a request with a token, from an address, on a clock that a test sets.
  private func attempts(_ clock: MachineClock) -> (_ token: String?, _ peer: String) throws -> Int {
    desk.world.dispatcher.accessRules = AccessRules(
      tokens: AccessTokens(admin: "admin-secret", sandboxKey: Array(repeating: 7, count: 32)),
      now: { clock.now })
    return { [world = desk.world] token, peer in
      var request = Request.to(
        "/control/clock", headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
      request.peer = peer
      return try world.answer(request).status.code
    }
  }

  @Test("after ten wrong tokens in a minute, an address has to wait, but not with the right one")
  func tooManyAttempts() throws {
    let clock = MachineClock()
    let status = attempts(clock)
    let own = try token(of: "ci")["Authorization"]?.dropFirst("Bearer ".count)

    let wrong = try (0..<12).map { try status("sandbox.n\($0).0", "192.0.2.7:\(1000 + $0)") }
    #expect(wrong == Array(repeating: 401, count: 10) + [429, 429])
    #expect(try status("admin-secret", "192.0.2.7:1") == 200)
    #expect(try status(own.map(String.init), "192.0.2.7:1") == 200)
    #expect(try status(nil, "192.0.2.7:1") == 401)
    #expect(try status("sandbox.other.0", "192.0.2.8:1") == 401)
    clock.now = clock.now + .seconds(61)
    #expect(try status("sandbox.other.0", "192.0.2.7:1") == 401)
  }

  @Test("many addresses together have no more attempts at a sandbox, or at the admin token, than one")
  func distributedAttempts() throws {
    let status = attempts(MachineClock())
    let own = try token(of: "ci")["Authorization"]?.dropFirst("Bearer ".count)

    for guess in ["sandbox.ci.0", "guess"] {
      let wrong = try (0..<12).map { try status(guess, "198.51.100.\($0):1") }
      #expect(wrong == Array(repeating: 401, count: 10) + [429, 429])
    }
    #expect(try status("sandbox.other.one.0", "192.0.2.9:1") == 401)
    #expect(try status(own.map(String.init), "198.51.100.1:1") == 200)
    #expect(try status("admin-secret", "198.51.100.1:1") == 200)
  }

  @Test("the addresses of one network of IPv6 count as one")
  func networks() throws {
    let status = attempts(MachineClock())

    let wrong = try (0..<11).map { try status("sandbox.n\($0).0", "[2001:db8::\($0)]:1") }
    #expect(wrong.last == 429)
    #expect(try status("sandbox.n.0", "[2001:db8:0:1::1]:1") == 401)
  }

  @Test("of ten thousand addresses and names within a minute, the others have one count together")
  func manySubjects() {
    var attempts = FailedAttempts()
    for number in 0..<10_050 { attempts.add("\(number)", at: TestSandbox.start) }

    #expect(attempts.secondsUntilRetry("0", at: TestSandbox.start) == nil)
    #expect(attempts.secondsUntilRetry("new", at: TestSandbox.start + .seconds(59)) == 1)
    #expect(attempts.secondsUntilRetry("new", at: TestSandbox.start + .seconds(60)) == nil)
    #expect(attempts.secondsUntilRetry("new", at: TestSandbox.start - .seconds(1)) == nil)
  }

  @Test("the answer to another wrong token says for how long, and that the right one works")
  func advice() throws {
    let wrong: Headers = ["Authorization": "Bearer sandbox.ci.0"]
    for _ in 0..<10 { _ = try desk.respond("GET /control/clock", headers: wrong) }

    let answer = try desk.ask("GET /control/clock", headers: wrong)

    #expect(answer.hasPrefix(#"429 {"error":"Authorization: wrong token, after 10 wrong ones from "#))
    #expect(answer.contains(" within a minute. Try again in 60 s; the right token is accepted at any time"))
    #expect(try desk.respond("GET /control/clock", headers: wrong).headers["Retry-After"] == "60")
  }

  @Test("providers and health checks need no token")
  func otherPaths() throws {
    for path in ["/things/v1/things/a", "/livez", "/readyz", "/s/ci/livez"] {
      #expect(try desk.respond("GET \(path)").status == 200, "\(path)")
    }
  }

  private func token(of name: String) throws -> Headers {
    let answer = try desk.respond("POST /control/sandboxes/\(name)/tokens", headers: Self.admin)
    #expect(answer.headers["Cache-Control"] == "no-store")
    return ["Authorization": "Bearer \(try JSON(parsing: answer.body)["token"]?.text ?? "")"]
  }
}

/// The machine's clock, set by a test.
private final class MachineClock: @unchecked Sendable {
  var now = TestSandbox.start
}
