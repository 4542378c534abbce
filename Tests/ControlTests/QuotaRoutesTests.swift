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

  // MARK: Changes

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
