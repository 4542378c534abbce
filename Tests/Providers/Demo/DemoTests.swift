import Demo
import Domain
import HTTP
import ProviderKit
import Support
import Testing

@Suite("Demo", .contract("Docs/Adding-a-provider.md"))
struct DemoTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox(of: DemoProvider.self) }

  @Test("a code is sent and checked")
  func verification() throws {
    let sent = try send()
    let wrong = try check("0")
    let right = try check(code())

    sent.matches(golden: "sent")
    wrong.matches(golden: "wrong-code")
    right.matches(golden: "approved")
    #expect(sent.answer == #"202 {"status":"sent"}"#)
    #expect(wrong.answer == #"403 {"error":"wrong_code"}"#)
    #expect(wrong.why == "wrong code: check 1 of 5")
    #expect(right.answer == #"200 {"status":"approved"}"#)
    #expect(try check("0").answer == #"404 {"error":"not_found"}"#)
  }

  @Test("an invalid number is rejected")
  func invalidNumber() throws {
    let exchange = try send("none")

    exchange.matches(golden: "invalid-number")
    #expect(exchange.answer == #"400 {"error":"invalid_number"}"#)
  }

  @Test("its settings apply")
  func limits() throws {
    _ = try world.send(.json(.post, "/control/seed", #"{"demo":{"settings":{"maxChecks":2}}}"#))
    _ = try send()
    for _ in 0..<2 { #expect(try check("0").answer == #"403 {"error":"wrong_code"}"#) }

    #expect(try check(code()).answer == #"429 {"error":"too_many_attempts"}"#)
  }

  @Test(
    "requests without a handler get its own errors",
    arguments: [
      (HTTP.Method.get, "/demo/nothing", #"404 {"error":"not_found"}"#),
      (.get, "/codes", #"405 {"error":"invalid_request"}"#),
      (.post, "/demo/codes/%ZZ/check", #"400 {"error":"invalid_request"}"#),
    ])
  func refusals(method: HTTP.Method, path: String, answer: String) throws {
    let exchange = try world.send(.to(path, method))

    #expect(exchange.answer == answer)
    #expect(exchange.headers["X-Sandbox-Provider"] == "demo")
  }

  @Test("an operation that is not emulated answers with the provider's error")
  func notEmulated() throws {
    let exchange = try world.send(.to("/codes/+12025550100", .delete))

    exchange.matches(golden: "not-emulated")
    #expect(exchange.answer == #"404 {"error":"not_found"}"#)
  }

  @Test("its routes work under its name, in a sandbox and at its host")
  func routes() throws {
    #expect(world.router.collisions.isEmpty)
    for path in ["/codes", "/demo/codes", "/s/default/demo/codes"] {
      #expect(try send(to: path).answer == #"202 {"status":"sent"}"#)
    }
    let host: Headers = ["Host": "api.demo-verify.example"]
    #expect(
      try world.send(Request(.get, Target("/x"), headers: host)).answer == #"404 {"error":"not_found"}"#)
  }

  @Test("faults, journal and inbox support it without further code")
  func restOfTheSandbox() throws {
    _ = try send()
    let inbox = try world.send(.to("/control/inbox/+12025550100/latest/code"))
    _ = try world.send(
      .json(.put, "/control/faults", #"{"faults":[{"provider":"demo","route":"sendCode","status":500}]}"#))

    let failed = try send()

    #expect(inbox.answer == "200 \(try code())")
    #expect(failed.answer == #"500 {"error":"internal"}"#)
    #expect(failed.why?.hasPrefix("broken on purpose: fault 1 answers 500 ") == true)
    #expect(try check("0").unread == [])
  }

  @Test("it answers replies, whether it sent messages before or not")
  func replies() throws {
    _ = try send()

    let reply = try world.send(.json(.post, "/control/inbox/+12025550100/reply", #"{"text":"me"}"#))
    let other = try world.send(
      .json(.post, "/control/inbox/+12025550101/reply", #"{"text":"hello","to":"Demo"}"#))

    #expect(reply.answer.hasPrefix("201"))
    #expect(other.answer.hasPrefix("201"))
    #expect(
      try world.sandbox.messages.inbox(.init()).map { "\($0.destination) \($0.text)" }.suffix(2) == [
        "+12025550100 Nobody reads replies to Demo.", "+12025550101 Nobody reads replies to Demo.",
      ])
  }

  private func send(_ number: String = "+12025550100", to path: String = "/codes") throws -> Exchange {
    try post(path, #"{"number":"\#(number)"}"#)
  }

  private func check(_ code: String) throws -> Exchange {
    try post("/codes/+12025550100/check", #"{"code":"\#(code)"}"#)
  }

  private func code() throws -> String {
    try #require(try world.sandbox.messages.inbox(.init()).last?.code)
  }

  private func post(_ path: String, _ body: String) throws -> Exchange {
    let headers: Headers = [
      "Authorization": "Bearer demo_sandbox0000000000000000", "Content-Type": "application/json",
    ]
    return try world.send(.to(path, .post, headers: headers, body: Array(body.utf8)))
  }
}
