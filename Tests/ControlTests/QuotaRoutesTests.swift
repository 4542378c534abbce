import CatalogSupport
import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Control

@Suite("Control · quotas")
struct QuotaRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  private func create(_ members: String) throws {
    let answer = try desk.respond("POST /control/sandboxes", #"{"name":"ci",\#(members)}"#)
    #expect(answer.status == 201)
  }

  @Test("too many requests in a second get the owner's 429, and the other sandboxes go on")
  func rate() throws {
    try create(#""limits":{"requestsPerSecond":2}"#)
    for _ in 1...2 { #expect(try desk.respond("GET /s/ci/control/clock").status == 200) }

    let own = try desk.respond("GET /s/ci/control/clock")
    #expect(own.status == 429)
    #expect(own.headers["Retry-After"] == "1")
    #expect(
      String(decoding: own.body, as: UTF8.self)
        == #"{"error":"limits.requestsPerSecond: expected at most 2 requests per second in this sandbox","#
        + #""field":"limits.requestsPerSecond"}"#)
    #expect(try desk.ask("GET /s/ci/things/v1/things/a") == "429 acme: fault -")
    #expect(try desk.respond("GET /s/ci/").status == 429)
    #expect(try desk.respond("GET /things/v1/things/a").status == 200)
    let why = desk.world.sandboxes["ci"]?.journal.last?.why
    #expect(why == "limits.requestsPerSecond: expected at most 2 requests per second in this sandbox")
  }

  @Test("a message beyond the limit gets the owner's error, and is not sent")
  func messages() throws {
    try create(#""limits":{"messages":1}"#)
    #expect(try desk.ask("POST /s/ci/things/v1/things") == "201 created")

    #expect(try desk.ask("POST /s/ci/things/v1/things") == "500 acme: our fault")

    #expect(
      try desk.ask("POST /s/ci/control/inbox/+12025550100/reply", #"{"text":"STOP"}"#).hasPrefix(
        #"507 {"error":"limits.messages: expected at most 1 messages in this sandbox; reset it"#))
    #expect(try desk.ask("GET /control/sandboxes/ci").contains(#""use":{"messages":{"used":1,"limit":1}}"#))
    #expect(try desk.respond("POST /s/ci/control/reset").status == 200)
    #expect(try desk.ask("POST /s/ci/things/v1/things") == "201 created")
  }

  @Test("refused requests are counted")
  func metrics() throws {
    try create(#""limits":{"requestsPerSecond":1}"#)

    for _ in 1...3 { _ = try desk.respond("GET /s/ci/control/clock") }

    #expect(
      try desk.ask("GET /metrics").contains(
        #"ringfence_limited_requests_total{limit="requestsPerSecond"} 2"#))
  }

  @Test("a handset's requests within the process are not counted")
  func handsets() throws {
    try create(#""limits":{"requestsPerSecond":2}"#)
    let app = #"{"number":"+12025550101","provider":"hyphen"}"#

    let answers = try ["POST /s/ci/control/devices", "GET /s/ci/control/devices"].map { line in
      try desk.respond(line, line.hasPrefix("POST") ? app : "").status.code
    }

    #expect(answers[1] == 200)
  }

  @Test(
    "a limit that cannot take effect is refused",
    arguments: [
      (#""ttl":"0s""#, "$.ttl: expected a duration from 1s to 3650d, such as 90m or 2d"),
      (#""ttl":"5000d""#, "$.ttl: expected a duration from 1s to 3650d"),
      (#""limits":{"messages":0}"#, "$.limits.messages: expected an integer from 1 to 10000000"),
      (#""limits":{"message":1}"#, #"did you mean \"messages\"?"#),
      (
        #""limits":{"storedBytes":1e9}"#, "$.limits.storedBytes: expected an integer from 1048576 to 33554432"
      ),
    ])
  func invalid(members: String, said: String) throws {
    let answer = try desk.ask("POST /control/sandboxes", "{\(members)}")

    #expect(answer.hasPrefix("400 "))
    #expect(answer.contains(said), "\(answer)")
    #expect(desk.world.sandboxes.count == 1)
  }

  // MARK: Changes

  @Test("limits and ttl can be changed, each alone, and removed")
  func change() throws {
    try create(#""ttl":"2h","limits":{"messages":1,"requestsPerSecond":50}"#)

    let raised = try desk.ask("PATCH /control/sandboxes/ci", #"{"limits":{"messages":2}}"#)
    #expect(raised.contains(#""ttl":"2h""#) && raised.contains(#""messages":{"used":0,"limit":2}"#))
    #expect(raised.contains(#""requestsPerSecond":{"used":0,"limit":50}"#))
    for status in ["201", "201", "500"] {
      #expect(try desk.ask("POST /s/ci/things/v1/things").hasPrefix(status))
    }

    let freed = try desk.ask("PATCH /control/sandboxes/ci", #"{"ttl":null,"limits":null}"#)
    #expect(!freed.contains("ttl") && !freed.contains(#""use""#))
    #expect(try desk.ask("POST /s/ci/things/v1/things") == "201 created")
    #expect(try desk.ask("GET /control/sandboxes/ci") == freed)
  }

  @Test("a sandbox without limits can get some, and keeps them after a reset")
  func added() throws {
    try create(#""clock":"2026-01-05T10:20:30Z""#)
    _ = try desk.ask("PATCH /control/sandboxes/ci", #"{"ttl":"1h","limits":{"messages":1}}"#)

    let reset = try desk.ask("POST /control/sandboxes/ci/reset")

    #expect(reset.contains(#""ttl":"1h","removedAt":"2026-01-05T11:20:30Z""#))
    #expect(try desk.ask("POST /s/ci/things/v1/things") == "201 created")
    #expect(try desk.ask("POST /s/ci/things/v1/things") == "500 acme: our fault")
  }

  @Test("a limit below what is stored keeps it, and refuses more")
  func lowered() throws {
    try create(#""limits":{"messages":5}"#)
    for _ in 1...3 { _ = try desk.ask("POST /s/ci/things/v1/things") }

    let lowered = try desk.ask("PATCH /control/sandboxes/ci", #"{"limits":{"messages":1}}"#)

    #expect(lowered.contains(#""messages":{"used":3,"limit":1}"#))
    #expect(try desk.ask("POST /s/ci/things/v1/things") == "500 acme: our fault")
  }

  @Test(
    "a change that cannot take effect is refused, and changes nothing",
    arguments: [
      ("ci", #"{"limits":{"messages":0}}"#, "$.limits.messages: expected an integer from 1"),
      ("ci", #"{"limit":{}}"#, #"did you mean \"limits\"?"#),
      ("default", #"{"ttl":"1h"}"#, "$.ttl: expected none: the default sandbox is never removed; found 1h"),
      ("none", "{}", "there is no sandbox none"),
    ])
  func invalidChange(name: String, body: String, said: String) throws {
    try create(#""limits":{"messages":5}"#)

    let answer = try desk.ask("PATCH /control/sandboxes/\(name)", body)

    #expect(answer.hasPrefix("40") && answer.contains(said), "\(answer)")
    #expect(try desk.ask("GET /control/sandboxes/ci").contains(#""messages":{"used":0,"limit":5}"#))
  }

  @Test("a server's own time and number of sandboxes are the most")
  func server() throws {
    let world = try TestSandbox.withCatalog {
      $0.ttl = .seconds(3600)
      $0.maxSandboxes = 2
    }
    func create(_ body: String) throws -> String {
      let response = try world.answer(
        Request(
          .post, Target("/control/sandboxes"),
          headers: ["Host": "localhost", "Content-Type": "application/json"], body: Array(body.utf8)))
      return "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
    }

    #expect(
      try create(#"{"ttl":"2h"}"#)
        == #"400 {"error":"$.ttl: expected at most 1h, the server's --sandbox-ttl; found 2h","field":"$.ttl"}"#
    )
    let made = try create(#"{"name":"ci"}"#)
    #expect(made.contains(#""ttl":"1h","removedAt":"2026-01-05T11:20:30Z""#))
    let longer = try world.answer(
      Request(
        .patch, Target("/control/sandboxes/ci"),
        headers: ["Host": "localhost", "Content-Type": "application/json"], body: Array(#"{"ttl":"2h"}"#.utf8)
      ))
    #expect(longer.status == 400)
    #expect(try create("{}").hasPrefix(#"507 {"error":"sandboxes: expected at most 2; delete"#))
  }
}

@Suite("Control · shards")
struct ShardRoutesTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog { $0.shard = Shard("ab") } }

  private func create(_ body: String) throws -> String {
    let response = try world.answer(
      Request(
        .post, Target("/control/sandboxes"),
        headers: ["Host": "localhost", "Content-Type": "application/json"], body: Array(body.utf8)))
    return "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
  }

  @Test(
    "the name of a new sandbox starts with the shard",
    arguments: [
      (#"{"name":"ci"}"#, #"201 {"name":"ab.ci","#), (#"{"name":"ab.ci"}"#, #"201 {"name":"ab.ci","#),
      ("{}", #"201 {"name":"ab.sandbox-"#),
      (
        #"{"name":"cd.ci"}"#,
        #"400 {"error":"$.name: expected a name that does not start with another shard than ab; found cd.ci""#
      ),
    ])
  func names(body: String, answer: String) throws {
    let made = try create(body)

    #expect(made.hasPrefix(answer), "\(made)")
  }

  @Test("a name that is too long with the shard is refused")
  func length() throws {
    let name = String(repeating: "x", count: 62)

    #expect(
      try create(#"{"name":"\#(name)"}"#).hasPrefix(#"400 {"error":"$.name: expected at most 61 characters"#))
  }

  @Test("every provider's credentials have the shard")
  func credentials() throws {
    let made = try create(#"{"name":"ci"}"#)

    for start in [
      #""accountSid":"ACab"#, #""apiKeySid":"SKab"#, #""customerId":"AB"#, #""apiToken":"sk_ab"#,
      #""sdkKey":"sdk_ab"#,
      #""clientId":"ab"#, #""appId":"app-ab"#, #""appSecret":"sbx_app_ab"#, #""projectId":"ringfence-ab"#,
      #""keyId":"AB"#,
    ] {
      #expect(made.contains(start), "\(start)")
    }
  }

  @Test("a sandbox is only deleted in the state that the client has seen")
  func conditionalDelete() throws {
    _ = try create(#"{"name":"ci"}"#)
    func send(_ method: HTTP.Method, _ path: String, _ more: Headers = [:]) throws -> Response {
      var headers: Headers = ["Host": "localhost"]
      headers.append(more)
      return try world.answer(Request(method, Target(path), headers: headers))
    }
    let path = "/control/sandboxes/ab.ci"
    let tag = try #require(try send(.get, path + "/snapshot").headers["ETag"])
    _ = try send(.get, "/s/ab.ci/v2/Services")

    #expect(try send(.delete, path, ["If-Match": tag]).status == 412)
    #expect(world.sandboxes["ab.ci"] != nil)
    let newer = try #require(try send(.get, path + "/snapshot").headers["ETag"])
    #expect(try send(.delete, path, ["If-Match": newer]).status == 204)
  }
}
