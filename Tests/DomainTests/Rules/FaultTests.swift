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
      + #""code":"60203","retryAfter":7,"latencyMs":250,"damage":"garble","when":"after"}"#

    let fault = try Fault(Fields(document))

    #expect(String(decoding: Fault.schema.encode(fault), as: UTF8.self) == document)
  }

  @Test("a code may be written as a number")
  func numericCode() throws {
    #expect(try Fault(Fields(#"{"code":60203}"#)).code == "60203")
  }

  @Test(
    "a fault applies only to requests that match",
    arguments: [
      (#"{"status":500}"#, true), (#"{"status":500,"provider":"acme"}"#, true),
      (#"{"status":500,"provider":"other"}"#, false), (#"{"status":500,"route":"createThing"}"#, true),
      (#"{"status":500,"route":"deleteThing"}"#, false), (#"{"status":500,"number":"+12025550100"}"#, true),
      (#"{"status":500,"number":"+12025550101"}"#, false), (#"{"status":500,"contains":"a text"}"#, true),
      (#"{"status":500,"contains":"another"}"#, false),
    ])
  func matching(document: String, strikes: Bool) throws {
    try world.sandbox.faults.replace(with: [Fault(Fields(document))])

    let fault = try strike()

    #expect((fault != nil) == strikes)
  }

  @Test(
    "a number that no request can have is refused, with the one that was probably meant",
    arguments: [
      (#""banana""#, #""banana""#), (#""+1202*""#, #""+1202*""#), ("12025550150", "12025550150"),
      (#""12025550150""#, #""12025550150"; did you mean "+12025550150"?"#),
      (#""2025550150""#, #""2025550150"; did you mean "+12025550150"?"#),
      (#""447700900123""#, #""447700900123"; did you mean "+447700900123"?"#),
      (#""+1 202 555 0150""#, #""+1 202 555 0150"; did you mean "+12025550150"?"#),
    ])
  func numbers(number: String, found: String) {
    let expected = "expected a phone number such as +12025550100, or an email address; found \(found)"
    let fault = #expect(throws: FieldError.self) {
      try Fault(Fields(#"{"status":500,"number":\#(number)}"#))
    }
    let scenario = #expect(throws: FieldError.self) {
      try Scenario(Fields(#"{"match":{"number":\#(number)},"outcome":"slow"}"#))
    }

    #expect(fault?.description == "$.number: \(expected)")
    #expect(scenario?.description == "$.match.number: \(expected)")
  }

  @Test("an email address is a number too, as messages go to both")
  func emails() throws {
    #expect(try Fault(Fields(#"{"status":500,"number":"a@b.test"}"#)).number == "a@b.test")
    #expect(
      try Scenario(Fields(#"{"match":{"number":"a@b.test"},"outcome":"slow"}"#)).number == "a@b.test")
  }

  @Test("a fault applies from its nth match on, and counts every match")
  func turns() throws {
    try world.sandbox.faults.replace(with: [Fault(Fields(#"{"status":500,"nth":2,"times":2}"#))])

    let strikes = try (1...5).map { _ in try strike() != nil }

    #expect(strikes == [false, true, true, false, false])
    #expect(try world.sandbox.faults.all.map(\.counts.hits) == [5])
  }

  @Test(
    "with an answer of its own, a fault acts before the work, else after it, unless it says when",
    arguments: [
      (#"{"status":500}"#, true), (#"{"code":60203}"#, true), (#"{"latencyMs":5}"#, false),
      (#"{"damage":"reset"}"#, false), (#"{"status":500,"when":"after"}"#, false),
      (#"{"damage":"reset","when":"before"}"#, true),
    ])
  func moments(document: String, preventsWork: Bool) throws {
    #expect(try Fault(Fields(document)).preventsWork == preventsWork)
  }

  @Test("a fault applies to each third request, or to a share of them")
  func everyAndRate() throws {
    let documents = [#"{"status":500,"every":3}"#, #"{"status":503,"rate":0.2}"#]
    try world.sandbox.faults.replace(with: documents.map { try Fault(Fields($0)) })

    let strikes = try (1...300).map { _ in try strike()?.status }

    #expect(strikes.indices.filter { strikes[$0] == 500 } == Array(stride(from: 2, to: 300, by: 3)))
    #expect((20...65).contains(strikes.count { $0 == 503 }))
    #expect(
      try world.sandbox.faults.all.map(\.rule.effect) == [
        "every provider answers 500, one of 3", "every provider answers 503, 20.0 % of them",
      ])
  }

  @Test("without faults, no request fails")
  func none() throws {
    #expect(try strike() == nil)
  }

  private func strike() throws -> Fault? {
    try world.sandbox.faults.first(provider: "acme", route: "createThing") {
      $0 == "+12025550100"
    } contains: {
      $0 == "a text"
    }?.rule
  }

  @Test("names that several providers have are listed once")
  func namesOnce() {
    let names = ["acme", "zenith"].map { provider in
      RouteNames(
        provider: provider, routes: [.init(name: "createThing", method: "POST", path: "/things")],
        errorCodes: [])
    }

    #expect {
      try names.validate(route: "listPeople")
    } throws: {
      "\($0)" == #"route: unknown route "listPeople"; expected one of createThing"#
    }
  }
}
