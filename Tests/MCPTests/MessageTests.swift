import CatalogSupport
import Control
import HTTP
import JSON
import Support
import Testing

@testable import MCP

@Suite("MCP · messages")
struct MessageTests {
  private let agent: Agent

  init() throws { agent = try Agent() }

  private static let june: Headers = ["MCP-Protocol-Version": "2025-06-18"]

  private func error(_ code: Int, _ message: String, id: String = "null") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)"}}"#
  }

  @Test(
    "what is no message is refused with the reason",
    arguments: [
      ("{", -32700, "the message is not JSON: expected a member name in double quotes at byte 1"),
      ("", -32700, "the message is not JSON: expected a value at byte 0"),
      (
        #"{"jsonrpc":"2.0","jsonrpc":"2.0"}"#, -32700,
        "the message is not JSON: expected a member name that this object does not have yet at byte 17"
      ),
      ("7", -32600, "a message: expected an object"),
      (#"{"id":1,"method":"ping"}"#, -32600, #"jsonrpc: expected \"2.0\""#),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, #"jsonrpc: expected \"2.0\""#),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, "id: expected a string or an integer"),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, "id: expected a string or an integer"),
      (#"{"jsonrpc":"2.0","id":1}"#, -32600, "method: missing; expected a string"),
      (#"{"jsonrpc":"2.0"}"#, -32600, "method: missing; expected a string"),
      (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600, "method: expected a string"),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602,
        "params: expected an object; found an array"
      ),
    ])
  func malformed(body: String, code: Int, message: String) throws {
    let hasID = body.contains(#""id":1"#) && !body.contains("1.5")

    #expect(try agent.post(body) == "400 \(error(code, message, id: hasID ? "1" : "null"))")
  }

  @Test("deep and large documents are refused")
  func limits() throws {
    let deep = String(repeating: "[", count: 33)
    let large = "[\(String(repeating: "1,", count: 20_000))1]"

    #expect(try agent.post(deep).contains("at most 32 levels of nesting"))
    #expect(try agent.post(large).contains("at most 20000 values"))
    #expect(agent.world.dispatcher.bodyLimit(.post, path: "/mcp", host: "") == 1 << 20)
  }

  @Test(
    "notifications and answers get no answer",
    arguments: [
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","method":"unknown"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}"#,
      #"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
    ])
  func silent(body: String) throws {
    #expect(try agent.post(body) == "202 ")
  }

  @Test("an unknown method is refused with the nearest one")
  func unknownMethod() throws {
    let answer = try agent.post(#"{"jsonrpc":"2.0","id":"a","method":"tool/list"}"#)

    #expect(
      answer == "200 \(error(-32601, "unknown method tool/list; did you mean tools/list?", id: #""a""#))")
    #expect(
      try agent.post(#"{"jsonrpc":"2.0","id":2,"method":"prompts/get"}"#)
        == "200 \(error(-32601, "unknown method prompts/get", id: "2"))")
  }

  @Test("ping")
  func ping() throws {
    #expect(
      try agent.post(#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#, Self.june)
        == #"200 {"jsonrpc":"2.0","id":9,"result":{}}"#)
  }

  // MARK: Versions

  @Test(
    "the version is the client's, or else the latest",
    arguments: [
      ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
      ("2024-11-05", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("x", "2025-11-25"),
    ])
  func negotiation(wanted: String, agreed: String) throws {
    let result = try agent.ask(
      "initialize", #"{"protocolVersion":"\#(wanted)","capabilities":{},"clientInfo":{"name":"a"}}"#)[
        "result"]

    #expect(result?["protocolVersion"]?.text == agreed)
    #expect(result?["capabilities"]?.names == ["tools", "resources"])
    #expect(result?["serverInfo"]?["name"]?.text == "ringfence")
    #expect(result?["instructions"]?.text?.contains("show_sandbox") == true)
  }

  @Test("initialize needs a version")
  func versionless() throws {
    #expect(
      try agent.ask("initialize")["error"]?["message"]?.text
        == "params.protocolVersion: missing; expected a string")
  }

  // MARK: Batches

  @Test("a batch is answered in its order, its notifications not at all")
  func batch() throws {
    let answer = try agent.post(
      """
      [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},
      {"jsonrpc":"2.0","id":2,"method":"unknown"},7]
      """)

    #expect(
      answer == """
        200 [{"jsonrpc":"2.0","id":1,"result":{}},\(error(-32601, "unknown method unknown", id: "2")),\
        \(error(-32600, "a message: expected an object"))]
        """)
  }

  @Test("a batch has 1 to 50 messages, and no initialize")
  func batchLimits() throws {
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    #expect(try agent.post("[]").contains("expected 1 to 50 messages; found 0"))
    #expect(
      try agent.post("[\(Array(repeating: ping, count: 51).joined(separator: ","))]").contains("found 51"))
    #expect(
      try agent.post(#"[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}]"#).contains(
        "initialize cannot be part of a batch"))
  }

  @Test("later versions have no batches")
  func noBatch() throws {
    #expect(
      try agent.post(#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Self.june)
        == "400 \(error(-32600, "batches are not part of version 2025-06-18; send one message at a time"))")
  }

  @Test("a batch waits for all its answers")
  func waitingBatch() throws {
    let call = #"{"name":"get_code","arguments":{"number":"+12025550100","wait":20}}"#
    let body =
      #"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(call)},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#
    guard case .pending(let job) = agent.reply(to: body) else {
      Issue.record("it does not wait")
      return
    }
    try agent.world.runJobs()
    guard case .pending(let pending)? = try job.reply() else {
      Issue.record("it does not wait for the code")
      return
    }

    #expect(pending.timeout == .seconds(20))
    #expect(try pending.answer() == nil)
    try agent.send()
    let response = try #require(try pending.answer())
    let answers = try JSON(parsing: response.body).items ?? []
    #expect(answers.map { $0["id"] } == [.integer(1), .integer(2)])
    #expect(Agent.text(of: answers[0]).count == 6)
  }

  // MARK: HTTP

  @Test("there are no streams and no sessions: GET and DELETE are refused")
  func methods() throws {
    for method in [HTTP.Method.get, .delete] {
      let response = try agent.world.answer(
        Request(method, Target("/mcp"), headers: ["Host": "127.0.0.1:5550"]))
      #expect(response.status == 405)
      #expect(response.headers["Allow"] == "POST")
    }
  }

  @Test("web pages of other origins are refused, with the right token too")
  func origin() throws {
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let evil: Headers = ["Origin": "https://evil.example"]
    var held = try Agent(
      tokens: AccessTokens(admin: "admin-secret", sandboxKey: Array(repeating: 7, count: 32)))
    #expect(try held.post(ping).hasPrefix("401 "))
    held.headers = ["Authorization": "Bearer admin-secret"]

    #expect(try held.post(ping).hasPrefix("200 "))
    for answer in [try agent.post(ping, evil), try held.post(ping, evil)] {
      #expect(answer.hasPrefix("403 "))
      #expect(answer.contains("web pages of other origins"))
    }
    #expect(try agent.post(ping, ["Origin": "http://127.0.0.1:5550"]).hasPrefix("200 "))
    #expect(try agent.post(ping, ["Host": "evil.example"]).hasPrefix("403 ") == false)
  }
}

@Suite("MCP · goldens", .contract("Docs/Decisions.md 0068"))
struct GoldenTests {
  @Test(
    "messages and their answers as clients see them",
    arguments: [
      (
        "initialized", "2025-06-18",
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}"#
      ),
      ("tools", "2025-06-18", #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
      (
        "misspelt", "2025-06-18",
        #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_code","arguments":{"numbr":"+1"}}}"#
      ),
      ("unknown-version", "2026-07-28", #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#),
    ])
  func goldens(name: String, version: String, body: String) throws {
    let headers: Headers = [
      "Host": "127.0.0.1:5550", "Content-Type": "application/json", "MCP-Protocol-Version": version,
    ]
    let request = Request(.post, Target("/mcp"), headers: headers, body: Array(body.utf8))
    try TestSandbox.withAcme().send(request).matches(golden: name)
  }
}
