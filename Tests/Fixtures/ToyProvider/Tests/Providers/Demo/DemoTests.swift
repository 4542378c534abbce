import Demo
import Domain
import HTTP
import ProviderKit
import Support
import Testing

@Suite("Demo", .contract("Docs/Adding-a-provider.md"))
struct DemoTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox() }

  @Test("a code is sent and checked")
  func verification() throws {
    let sent = try post("/codes", #"{"number":"+12025550100"}"#)
    let code = try #require(try world.sandbox.messages.inbox(.init()).last?.code)
    let wrong = try post("/codes/+12025550100/check", #"{"code":"0"}"#)
    let right = try post("/codes/+12025550100/check", #"{"code":"\#(code)"}"#)

    sent.matches(golden: "sent")
    wrong.matches(golden: "wrong-code")
    right.matches(golden: "approved")
    #expect(sent.answer == #"202 {"status":"sent"}"#)
    #expect(wrong.answer == #"403 {"error":"wrong_code"}"#)
    #expect(right.answer == #"200 {"status":"approved"}"#)
  }

  @Test("an invalid number is rejected")
  func invalidNumber() throws {
    let exchange = try post("/codes", #"{"number":"none"}"#)

    exchange.matches(golden: "invalid-number")
    #expect(exchange.answer == #"400 {"error":"invalid_number"}"#)
  }

  @Test("an operation that is not emulated answers with the vendor's error")
  func notEmulated() throws {
    let exchange = try world.send(.to("/codes/+12025550100", .delete))

    exchange.matches(golden: "not-emulated")
    #expect(exchange.answer == #"404 {"error":"not_found"}"#)
  }

  private func post(_ path: String, _ body: String) throws -> Exchange {
    let headers: Headers = [
      "Authorization": "Bearer demo_sandbox0000000000000000", "Content-Type": "application/json",
    ]
    return try world.send(.to(path, .post, headers: headers, body: Array(body.utf8)))
  }
}
