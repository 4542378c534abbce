import Domain
import HTTP
import Support
import Testing

@Suite(
  "Prelude · number lists, test numbers, senders and templates in verifications",
  .contract("prelude.md 6, 11.3, 15"))
struct PreludeAccountTests {
  private let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private func create(_ number: String = PreludeWorld.number, _ options: String = "") throws -> Exchange {
    try prelude.post(
      PreludeWorld.verification,
      #"{"target":{"type":"phone_number","value":"\#(number)"},"options":{\#(options)}}"#)
  }

  private func check(_ code: String, of number: String = PreludeWorld.number) throws -> Exchange {
    try prelude.post(
      PreludeWorld.check, #"{"target":{"type":"phone_number","value":"\#(number)"},"code":"\#(code)"}"#)
  }

  @Test("a number on the block list is blocked, even if it is on the allow list too")
  func blockList() throws {
    try prelude.seed(
      #"{"prelude":{"blockList":["+33639980050"],"allowList":["+33639980050"]}}"#)

    #expect(try create().answer.contains(#""status":"blocked","method":"message","reason":"in_block_list""#))
    #expect(try prelude.inbox().isEmpty)
  }

  @Test(
    "the fraud rules do not apply to numbers on the allow list, other reasons do",
    arguments: [
      ("+33639980010", #""status":"success""#), ("+33639980014", #""status":"success""#),
      ("+33639980011", #""reason":"in_block_list""#), ("+33639980012", #""reason":"invalid_phone_line""#),
      ("+33639980013", #""reason":"invalid_phone_number""#),
    ])
  func allowList(number: String, part: String) throws {
    try prelude.seed(#"{"prelude":{"allowList":["\#(number)"]}}"#)

    #expect(try create(number).answer.contains(part))
  }

  @Test(
    "nothing is sent to a test number, whatever its last digits, and only its own code is valid",
    arguments: ["+33639980050", "+33639980001", "+33639980010", "+33639980012", "+33199001234"])
  func testNumber(number: String) throws {
    try prelude.seed(#"{"prelude":{"testNumbers":[{"number":"\#(number)","attemptCode":"424242"}]}}"#)

    #expect(try create(number).answer.contains(#""status":"success","method":"message""#))
    #expect(try check("123456", of: number).answer.contains(#""status":"failure""#))
    #expect(try check("424242", of: number).answer.contains(#""status":"success""#))
    #expect(try prelude.inbox(number).isEmpty)
  }

  @Test("a test number is never blocked for repeated use", .contract("prelude.md 15"))
  func testNumberAgain() throws {
    try prelude.configure(#""repeatedAttempts":1"#)
    try prelude.seed(#"{"prelude":{"testNumbers":[{"number":"+33639980050","attemptCode":"424242"}]}}"#)

    for _ in 0..<3 {
      #expect(try create().answer.contains(#""status":"success""#))
      #expect(try check("424242").answer.contains(#""status":"success""#))
    }
  }

  @Test("the replaced code of a test number is wrong at once, the new one valid")
  func replacedCode() throws {
    try prelude.seed(#"{"prelude":{"testNumbers":[{"number":"+33639980050","attemptCode":"424242"}]}}"#)
    _ = try create()
    try prelude.seed(#"{"prelude":{"testNumbers":[{"number":"+33639980050","attemptCode":"5151"}]}}"#)

    #expect(try check("424242").answer.contains(#""status":"failure""#))
    #expect(try check("5151").answer.contains(#""status":"success""#))
  }

  @Test("a sender must be approved", .contract("prelude.md 3.2"))
  func sender() throws {
    try prelude.seed(
      #"{"prelude":{"senderIds":[{"name":"ACME"},{"name":"SOON","status":"pending"}]}}"#)

    #expect(try create(PreludeWorld.number, #""sender_id":"ACME""#).answer.contains(#""status":"success""#))
    #expect(try prelude.inbox().last?.sender == "ACME")
    for name in ["SOON", "OTHER"] {
      let error = try create(PreludeWorld.number, #""sender_id":"\#(name)""#).preludeError()
      #expect(error == "400 invalid_sender_id options.sender_id")
    }
  }

  @Test(
    "a template must be known if the setting says so, and that of payments needs its variables",
    .contract("prelude.md 3.2"),
    arguments: [
      (#""template_id":"template_x""#, "400 invalid_template_id options.template_id"),
      (#""template_id":"prelude:psd2""#, "400 invalid_template_variables options.variables"),
      (
        #""template_id":"prelude:psd2","variables":{"amount":"1","currency":"EUR"}"#,
        "400 invalid_template_variables options.variables"
      ),
    ])
  func template(options: String, error: String) throws {
    try prelude.configure(#""templates":"seeded""#)

    #expect(try create(PreludeWorld.number, options).preludeError() == error)
  }

  @Test("the history shows the condition of a number then and now", .contract("prelude.md 5"))
  func conditions() throws {
    try prelude.seed(#"{"prelude":{"allowList":["+33639980050"]}}"#)
    let created = try create().answer
    let id = try #require(created.firstMatch(of: #/vrf_[0-9a-z]{26}/#)).output
    try prelude.seed(#"{"prelude":{"blockList":["+33639980050"]}}"#)

    let detail = try prelude.get("/v2/verification/phone/history/\(id)").answer

    #expect(detail.contains(#""phone_number_condition":"allow_listed""#))
    #expect(detail.contains(#""phone_number_current_condition":"block_listed""#))
  }
}
