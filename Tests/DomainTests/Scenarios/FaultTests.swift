import Domain
import JSON
import Testing

@Suite("Domain · faults")
struct FaultTests {
  let world: World

  init() throws { world = try World() }

  @Test("a fault is written as it was parsed")
  func form() throws {
    let document =
      #"{"provider":"acme","route":"createThing","number":"+12025550100","nth":2,"times":3,"status":503,"#
      + #""code":"60203","retryAfter":7,"latencyMs":250,"damage":"garble"}"#

    let fault = try Fault(Fields(document))

    #expect(String(decoding: Fault.schema.encode(fault), as: UTF8.self) == document)
  }

  @Test("a code may be written as a number")
  func numericCode() throws {
    #expect(try Fault(Fields(#"{"code":60203}"#)).code == "60203")
  }

  @Test(
    "a bad member is named with what was expected and found",
    arguments: [
      ("{}", "$.status: missing; expected at least one of status, code, latencyMs, damage"),
      (
        #"{"retryAfter":7}"#,
        "$.status: missing; expected at least one of status, code, latencyMs, damage"
      ),
      (#"{"status":200}"#, "$.status: expected an integer from 400 to 599; found 200"),
      (#"{"status":600}"#, "$.status: expected an integer from 400 to 599; found 600"),
      (#"{"status":"500"}"#, #"$.status: expected an integer from 400 to 599; found "500""#),
      (#"{"code":true}"#, "$.code: expected a string; found true"),
      (#"{"damage":"melt"}"#, #"$.damage: expected one of reset, truncate, garble; found "melt""#),
      (#"{"latencyMs":-1}"#, "$.latencyMs: expected an integer from 0 to 1000000000; found -1"),
      (#"{"status":500,"nth":0}"#, "$.nth: expected an integer from 1 to 1000000000; found 0"),
      (#"{"status":500,"times":-1}"#, "$.times: expected an integer from 0 to 1000000000; found -1"),
      (#"{"status":500,"provider":1}"#, "$.provider: expected a string; found 1"),
    ])
  func mistakes(document: String, sentence: String) {
    let error = #expect(throws: FieldError.self) { try Fault(Fields(document)) }

    #expect(error?.description == sentence)
  }

  @Test(
    "a fault applies only to requests that match",
    arguments: [
      (#"{"status":500}"#, true), (#"{"status":500,"provider":"acme"}"#, true),
      (#"{"status":500,"provider":"other"}"#, false), (#"{"status":500,"route":"createThing"}"#, true),
      (#"{"status":500,"route":"deleteThing"}"#, false), (#"{"status":500,"number":"+12025550100"}"#, true),
      (#"{"status":500,"number":"+12025550101"}"#, false),
    ])
  func matching(document: String, strikes: Bool) throws {
    try world.sandbox.faults.replace(with: [Fault(Fields(document))])

    let fault = try strike()

    #expect((fault != nil) == strikes)
  }

  @Test("a fault applies from its nth match on, and counts every match")
  func turns() throws {
    try world.sandbox.faults.replace(with: [Fault(Fields(#"{"status":500,"nth":2,"times":2}"#))])

    let strikes = try (1...5).map { _ in try strike() != nil }

    #expect(strikes == [false, true, true, false, false])
    #expect(try world.sandbox.faults.all.map(\.counts.hits) == [5])
  }

  @Test("without faults, no request fails")
  func none() throws {
    #expect(try strike() == nil)
  }

  private func strike() throws -> Fault? {
    try world.sandbox.faults.first(provider: "acme", route: "createThing") { $0 == "+12025550100" }?.rule
  }
}
