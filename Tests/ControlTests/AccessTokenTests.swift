import Control
import Domain
import HTTP
import JSON
import Support
import Testing

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
    "for a sandbox's token, other sandboxes do not exist",
    arguments: [
      "GET /s/NAME/control/clock", "POST /s/NAME/control/reset", "GET /control/sandboxes/NAME",
      "GET /control/sandboxes/NAME/export", "POST /control/sandboxes/NAME/reset",
      "DELETE /s/NAME/control/inbox",
    ])
  func otherSandboxes(line: String) throws {
    let token = try token(of: "ci")
    for name in ["default", "other.one", "nope"] {
      let answer = try desk.ask(line.replacing("NAME", with: name), headers: token)
      #expect(answer == #"404 {"error":"there is no sandbox \#(name)"}"#)
    }
    var header = token
    header.add("X-Sandbox", "default")
    #expect(
      try desk.ask("GET /control/clock", headers: header) == #"404 {"error":"there is no sandbox default"}"#)
  }

  @Test(
    "operations on the server require the admin token",
    arguments: [
      "GET /control/sandboxes", "POST /control/sandboxes", "DELETE /control/sandboxes/ci",
      "DELETE /control/sandboxes/other.one", "DELETE /control/sandboxes/nope", "GET /metrics",
      "POST /control/sandboxes/ci/tokens",
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

  @Test("after ten wrong tokens in a minute, an address has to wait")
  func tooManyAttempts() throws {
    let clock = MachineClock()
    desk.world.dispatcher.accessRules = AccessRules(
      tokens: AccessTokens(admin: "admin-secret", sandboxKey: [1]), now: { clock.now })
    func status(_ token: String?, from peer: String = "192.0.2.7:1234") throws -> Int {
      var request = Request.to(
        "/control/clock", headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
      request.peer = peer
      return try desk.world.answer(request).status.code
    }

    let wrong = try (0..<10).map { try status("guess\($0)", from: "192.0.2.7:\(1000 + $0)") }
    #expect(wrong == Array(repeating: 401, count: 10))
    #expect(try status("admin-secret") == 429)
    #expect(try status(nil) == 401)
    #expect(try status("admin-secret", from: "192.0.2.8:1") == 200)
    clock.now = clock.now + .seconds(61)
    #expect(try status("admin-secret") == 200)
  }

  @Test("providers and health checks need no token")
  func otherPaths() throws {
    for path in ["/things/v1/things/a", "/livez", "/readyz", "/s/ci/livez"] {
      #expect(try desk.respond("GET \(path)").status == 200, "\(path)")
    }
  }

  private func token(of name: String) throws -> Headers {
    let answer = try desk.respond("POST /control/sandboxes/\(name)/tokens", headers: Self.admin)
    return ["Authorization": "Bearer \(try JSON(parsing: answer.body)["token"]?.text ?? "")"]
  }
}

/// The machine's clock, set by a test.
private final class MachineClock: @unchecked Sendable {
  var now = TestSandbox.start
}
