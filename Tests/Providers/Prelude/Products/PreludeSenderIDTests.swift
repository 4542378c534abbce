import HTTP
import Support
import Testing

@Suite("Prelude · sender IDs", .contract("prelude.md 6.2"))
struct PreludeSenderIDTests {
  private let prelude: PreludeWorld
  private static let path = "/v2/verification/management/sender-id"

  init() throws { prelude = try PreludeWorld() }

  private func submit(_ name: String) throws -> Exchange {
    try prelude.post(Self.path, #"{"sender_id":"\#(name)"}"#)
  }

  @Test("a new name is pending, unless it begins with OK or REJECT")
  func submit() throws {
    let pending = try submit("ACME")
    let rejected = try submit("REJECTED")

    pending.matches(golden: "pending")
    rejected.matches(golden: "rejected")
    #expect(pending.answer == #"200 {"sender_id":"ACME","status":"pending"}"#)
    #expect(try submit("OK SHOP").answer == #"200 {"sender_id":"OK SHOP","status":"approved"}"#)
    #expect(
      rejected.answer == #"200 {"sender_id":"REJECTED","status":"rejected","#
        + #""reason":"the sandbox rejects names that begin with REJECT"}"#)
  }

  @Test("a known name keeps its status, and the list shows it")
  func decided() throws {
    try prelude.seed(#"{"prelude":{"senderIds":[{"name":"ACME","status":"approved"}]}}"#)
    _ = try submit("Shop")

    #expect(try submit("ACME").answer == #"200 {"sender_id":"ACME","status":"approved"}"#)
    let list = try prelude.get(Self.path)
    list.matches(golden: "two")
    #expect(
      list.answer == #"200 {"sender_ids":[{"sender_id":"ACME","status":"approved"},"#
        + #"{"sender_id":"Shop","status":"pending"}]}"#)
  }

  @Test(
    "an invalid sender is rejected",
    arguments: ["", "            ", "TWELVE-CHARS", "Café", "a/b", "+1", "+123456789012345678"])
  func malformed(name: String) throws {
    let exchange = try submit(name)

    if name == "TWELVE-CHARS" { exchange.matches(golden: "too-long") }
    #expect(try exchange.preludeError() == "400 invalid_sender_id sender_id")
    #expect(try prelude.get(Self.path).answer == #"200 {"sender_ids":[]}"#)
  }

  @Test("a phone number is a valid sender")
  func number() throws {
    #expect(try submit("+12025550100").answer == #"200 {"sender_id":"+12025550100","status":"pending"}"#)
  }

  @Test("without access everything is forbidden", .contract("prelude.md 6"))
  func forbidden() throws {
    try prelude.configure(#""management":false"#)

    let list = try prelude.get(Self.path)

    list.matches(golden: "forbidden")
    #expect(try list.preludeError() == "403 forbidden")
    #expect(try submit("ACME").preludeError() == "403 forbidden")
  }
}
