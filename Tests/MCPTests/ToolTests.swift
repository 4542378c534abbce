import Control
import HTTP
import JSON
import Support
import Testing

@testable import MCP

@Suite("MCP · tools")
struct ToolTests {
  private let agent: Agent

  init() throws { agent = try Agent() }

  private static let tokens = AccessTokens(admin: "admin-secret", sandboxKey: Array(repeating: 7, count: 32))

  @Test("every tool and each of its arguments is described")
  func descriptions() throws {
    let tools = try agent.ask("tools/list")["result"]?["tools"]?.items ?? []

    #expect(tools.count == 25)
    for tool in tools {
      let name = tool["name"]?.text ?? ""
      #expect((tool["description"]?.text?.count ?? 0) > 60, "\(name)")
      let schema = tool["inputSchema"]
      #expect(schema?["type"]?.text == "object")
      #expect(schema?["additionalProperties"] == .bool(false))
      for member in schema?["properties"]?.names ?? [] {
        let property = schema?["properties"]?[member]
        #expect((property?["description"]?.text?.count ?? 0) > 10, "\(name).\(member)")
        #expect(property?["type"]?.items == nil, "\(name).\(member) may be null")
      }
      #expect(schema?["properties"]?["sandbox"] != nil)
    }
  }

  @Test("lists have one page")
  func pages() throws {
    #expect(
      try agent.ask("tools/list", #"{"cursor":"2"}"#)["error"]?["message"]?.text
        == "params.cursor: expected none, because lists are in one page")
  }

  @Test(
    "a wrong call says what was expected",
    arguments: [
      ("get_code", #"{"numbr":"+12025550100"}"#, #"error: $.numbr: unknown field; did you mean "number"?"#),
      ("get_code", "{}", "error: $.number: missing; expected a string"),
      ("get_code", #"{"number":"+12025550100"}"#, "error: there is no code for +12025550100 yet"),
      (
        "get_code", #"{"number":"+12025550100","sandbox":"no"}"#, "error: there is no sandbox no"
      ),
      (
        "get_code", #"{"number":"+12025550100","sandbox":"a/b"}"#,
        #"error: $.sandbox: expected a sandbox's name; found "a/b""#
      ),
      (
        "fail", #"{"failure":"text-lst"}"#,
        #"error: $.failure: unknown value "text-lst"; did you mean "text-lost"?"#
      ),
      (
        "fail", #"{"failure":"push-offline"}"#,
        "error: $.number: missing; expected the phone number of the line"
      ),
      (
        "fail", #"{"failure":"push-offline","number":"+12025550100","times":1}"#,
        "error: $.times: expected none, because push-offline is no rule; found a value"
      ),
      (
        "fail", #"{"failure":"code-expired","number":"+12025550100"}"#,
        #"error: $.number: expected none, because it is for everybody; found "+12025550100""#
      ),
      ("fail", #"{"failure":"lost-text"}"#, #"unknown value "lost-text"; did you mean "text-lost"?"#),
      (
        "fail", #"{"failure":"text-lost","provider":"apns"}"#,
        "$.provider: expected one that text-lost can happen to (A push gateway knows tokens, no phone numbers); "
          + #"found "apns""#
      ),
      ("repair", #"{"failure":"text-lost"}"#, "error: text-lost is not on"),
      (
        "repair", #"{"failure":"code-wrong"}"#,
        "error: code-wrong: nothing undoes it; reset_sandbox begins again"
      ),
      (
        "repair", #"{"number":"+12025550100"}"#,
        #"error: $.number: expected none without failure; found "+12025550100""#
      ),
      (
        "open_silent_url", #"{"url":"http://127.0.0.1:5550/x"}"#, "error: $.phone: missing; expected a string"
      ),
      ("explain_request", "{}", "error: no request has reached sandbox default yet"),
      ("fail", "{}", "error: $.failure: missing; expected a string"),
      (
        "fail", #"{"failure":"api-500","delayMs":1}"#,
        "error: $.delayMs: expected none, because api-500 is not late; found 1"
      ),
      (
        "read_guide", #"{"page":"carrier","section":"Silent verifcation"}"#,
        #"found "Silent verifcation"; did you mean "Silent verification"?"#
      ),
      ("show_sandbox", #"{"provider":"twillio"}"#, #"found "twillio"; did you mean "twilio"?"#),
    ])
  func wrongCalls(tool: String, arguments: String, said: String) throws {
    let answer = try agent.call(tool, arguments)

    #expect(answer == said || answer.hasSuffix(said), "\(answer)")
  }

  @Test("an unknown tool is an error of the protocol")
  func unknownTool() throws {
    #expect(
      try agent.call("get_codes").contains(
        #""message":"params.name: unknown tool get_codes; did you mean get_code?""#))
    #expect(try agent.ask("tools/call")["error"]?["code"] == .integer(-32602))
    #expect(
      try agent.ask("tools/call", #"{"name":"get_code","arguments":[]}"#)["error"]?["code"]
        == .integer(-32602))
  }

  @Test("get_code has the code that a phone got")
  func code() throws {
    try agent.send()

    let code = try agent.call("get_code", #"{"number":"+12025550100","provider":"acme"}"#)

    #expect(code.count == 6 && code.allSatisfy(\.isNumber))
    let message = try #require(try agent.document("list_messages")["messages"]?.items?.first)
    #expect(message["code"]?.text == code)
  }

  @Test("get_code names its message, and a newer one that was lost, with the failure")
  func newer() throws {
    try agent.send()
    _ = try agent.call("fail", #"{"failure":"text-lost"}"#)
    try agent.send()

    let parts = try texts(of: "get_code", #"{"number":"+12025550100"}"#)
    #expect(parts.count == 2 && parts[0].count == 6)
    #expect(parts[1].hasPrefix("It is the code of msg_"))
    #expect(parts[1].contains("There is a newer message, whose code this is not: msg_"))
    #expect(parts[1].contains("because of the failure text-lost (scenario 1; repair ends it)"))
    _ = try agent.call("repair")
    try agent.send()
    #expect(try texts(of: "get_code", #"{"number":"+12025550100"}"#)[1].contains("newer") == false)
  }

  private func texts(of tool: String, _ arguments: String) throws -> [String] {
    let answer = try agent.ask("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
    return (answer["result"]?["content"]?.items ?? []).compactMap { $0["text"]?.text }
  }

  @Test("webhooks are listed with their failure in words, and sent again")
  func webhooks() throws {
    agent.world.receiver.answer = .answered(status: 500, body: "oh")
    try agent.app("POST /things/v1/things", "callback=http%3A%2F%2F127.0.0.1%3A9%2Fhook")
    let failed = { try agent.document("list_webhooks")["webhooks"]?.items?.first?["failed"]?.text }

    #expect(
      try failed()
        == "its receiver answered 500 in attempt 1; the next attempt is at 2026-01-05T10:21:30.000Z")
    agent.world.receiver.answer = .answered(status: 200, body: "")
    #expect(try agent.document("resend_webhook")["state"]?.text == "delivered")
    #expect(try failed() == nil)
  }

  @Test("a webhook that was not sent is not the newest request of the app")
  func refusedWebhook() throws {
    agent.world.receiver.answer = .refused(why: "no")
    try agent.app("POST /things/v1/things", "callback=http%3A%2F%2Fa.test%2F")

    #expect(
      try agent.document("list_requests")["requests"]?.items?.first?["target"]?.text == "http://a.test/")
    #expect(
      try agent.document("explain_request")["request"]?["request"]?["target"]?.text == "/things/v1/things")
    #expect(
      try agent.document("list_webhooks")["webhooks"]?.items?.first?["failed"]?.text?.hasPrefix("no") == true)
  }

  // MARK: Guides

  @Test("a page has the address and the keys of the sandbox, and is read in sections")
  func sections() throws {
    _ = try agent.call("start_sandbox", #"{"name":"ci"}"#)
    let page = #"{"page":"providers/vonage","sandbox":"ci""#
    let key =
      try agent.document("show_sandbox", #"{"provider":"vonage","sandbox":"ci"}"#)["providers"]?["vonage"]?[
        "credentials"]?["apiKey"]?.text ?? ""

    let beginning = try agent.call("read_guide", "\(page)}")
    #expect(beginning.hasPrefix("# Vonage") && beginning.utf8.count < 7_000)
    #expect(beginning.contains("give section: ") && beginning.contains("Webhooks"))
    let section = try agent.call("read_guide", #"\#(page),"section":"sms"}"#)
    #expect(section.hasPrefix("## SMS") && !section.contains("## Messages"))
    #expect(section.contains("http://127.0.0.1:5550/s/ci/vonage/sms/json -d api_key=\(key)"))
    #expect(try agent.call("read_guide", #"\#(page),"section":"all"}"#).utf8.count > 10_000)
  }

  // MARK: Sandboxes

  @Test("show_sandbox has what an app needs")
  func show() throws {
    let all = try agent.document("show_sandbox")
    #expect(all["sandbox"]?.text == "default")
    #expect(all["baseUrl"]?.text == "http://127.0.0.1:5550")
    #expect(all["providers"]?.text?.contains("twilio, ") == true)
    #expect(all.encoded().count < 2_000)
    let shown = { (provider: String) in
      try agent.document("show_sandbox", #"{"provider":"\#(provider)"}"#)["providers"]?[provider]
    }
    let twilio = try shown("twilio")
    let sid = try #require(twilio?["credentials"]?["accountSid"]?.text)
    #expect(twilio?["environment"]?["TWILIO_ACCOUNT_SID"]?.text == sid)
    #expect(twilio?["firstRequest"]?.text?.contains(sid) == true)
    #expect(twilio?["checkOfCode"]?.text?.contains("PUT-THE-CODE-HERE") == true)
    #expect(twilio?["checkOfCode"]?.text?.contains("/control/") == false)
    #expect(try shown("acme")?["credentials"]?["key"]?.text == "key-default")
    let one = try agent.document("show_sandbox", #"{"provider":"apns"}"#)["providers"]
    #expect(one?.names == ["apns"])
    #expect(one?["apns"]?["credentials"]?["authKey"]?.text?.contains("PRIVATE KEY") == true)
    let vonage = try shown("vonage")
    #expect(vonage?["credentials"]?["privateKey"]?.text?.contains("PRIVATE KEY") == true)
    #expect(vonage?["environment"]?["VONAGE_PRIVATE_KEY"]?.text?.contains("privateKey") == true)
    #expect(vonage?["signing"]?.text?.contains("application_id") == true)
    #expect(vonage?["checkOfCode"]?.text?.contains("PUT-THE-CODE-HERE") == true)
    #expect(try shown("prelude")?["webhookKey"]?.text?.contains("PUBLIC KEY") == true)
    #expect(try shown("twilio")?["webhookKey"] == nil)
  }

  @Test("a sandbox that was started is apart from the others")
  func start() throws {
    let started = try agent.document("start_sandbox", #"{"name":"ci","clock":"2026-01-05T10:20:30Z"}"#)

    #expect(started["sandbox"]?.text == "ci")
    #expect(started["baseUrl"]?.text == "http://127.0.0.1:5550/s/ci")
    #expect(started["clock"]?["mode"]?.text == "frozen")
    #expect(try agent.call("start_sandbox", #"{"name":"ci"}"#) == "error: sandbox ci exists already")
    try agent.send()
    #expect(try agent.call("get_code", #"{"number":"+12025550100"}"#).count == 6)
    #expect(
      try agent.call("get_code", #"{"number":"+12025550100","sandbox":"ci"}"#)
        == "error: there is no code for +12025550100 yet")
    #expect(
      try agent.call("list_sandboxes")
        == #"{"sandboxes":["ci","default"],"cursor":"default","hasMore":false}"#)
    #expect(
      try agent.call("list_sandboxes", #"{"limit":1}"#)
        == #"{"sandboxes":["ci"],"cursor":"ci","hasMore":true}"#)
    #expect(
      try agent.call("list_sandboxes", #"{"after":"ci"}"#)
        == #"{"sandboxes":["default"],"cursor":"default","hasMore":false}"#)
    #expect(
      try agent.post(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_sandbox"}}"#, path: "/s/ci/mcp"
      ).contains(#"\"sandbox\":\"ci\""#))
    #expect(try agent.call("delete_sandbox", #"{"name":"ci"}"#) == "Done.")
    #expect(
      try agent.call("list_sandboxes") == #"{"sandboxes":["default"],"cursor":"default","hasMore":false}"#)
  }

  @Test("a second code is the one after the message of the first")
  func secondCode() throws {
    try agent.send()
    let first = try agent.document("list_messages")["messages"]?.items?.first?["id"]?.text ?? ""
    let arguments = #"{"number":"+12025550100","after":"\#(first)"}"#

    #expect(try agent.call("get_code", arguments).hasPrefix("error: there is no code for +12025550100 yet"))
    #expect(
      try agent.call("get_code", #"{"number":"+12025550100","after":"x"}"#)
        == "error: after: expected the id of a message such as msg_000031, or a cursor; found \"x\"")
    try agent.send()
    #expect(try agent.call("get_code", arguments).count == 6)
  }

  @Test("the token of a sandbox opens that sandbox alone")
  func token() throws {
    var held = try Agent(tokens: Self.tokens)
    held.headers = ["Authorization": "Bearer admin-secret"]
    let token = try #require(try held.document("start_sandbox", #"{"name":"ci"}"#)["token"]?.text)
    held.headers = ["Authorization": "Bearer \(token)"]

    #expect(try held.document("show_sandbox")["sandbox"]?.text == "ci")
    #expect(try held.call("start_sandbox").contains("requires the admin token"))
    #expect(try held.call("list_messages", #"{"sandbox":"default"}"#).contains("token of the sandbox ci"))
    #expect(try held.call("list_messages").hasPrefix(#"{"messages":[]"#))
  }

  @Test("reset_sandbox begins again")
  func reset() throws {
    try agent.send()

    #expect(try agent.call("reset_sandbox") == #"{"reset":"default"}"#)
    #expect(try agent.document("list_messages")["messages"]?.items == [])
  }

  // MARK: Time

  @Test("the clock moves")
  func clock() throws {
    #expect(
      try agent.call("advance_clock", #"{"advance":"10m"}"#)
        == #"{"mode":"frozen","now":"2026-01-05T10:30:30Z"}"#)
    #expect(try agent.call("advance_clock", #"{"advance":"ten"}"#).hasPrefix("error: $.advance: expected"))
    #expect(
      try agent.call("advance_clock", "{}").split(whereSeparator: { !$0.isLetter }).contains("advanceMs"))
  }
}
