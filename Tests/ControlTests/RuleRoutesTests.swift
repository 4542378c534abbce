import Testing

@Suite("Control · scenarios and faults")
struct RuleRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  static let scenario =
    #"{"match":{"number":"+12025550100","channel":"sms","sender":null,"provider":null,"nth":null},"#
    + #""outcome":"undeliverable","afterMs":null,"err":5,"times":2,"hits":0,"applied":0,"origin":"control"}"#
  static let fault =
    #"{"provider":"acme","route":null,"number":null,"nth":null,"times":1,"status":503,"code":null,"retryAfter":7,"#
    + #""latencyMs":null,"damage":null,"hits":0,"applied":0,"origin":"control"}"#

  @Test("scenarios are replaced, shown and removed")
  func scenarios() throws {
    let put = try desk.ask(
      "PUT /control/scenarios",
      #"{"scenarios":[{"match":{"number":"+12025550100","channel":"sms"},"outcome":"undeliverable","err":5,"times":2}]}"#
    )
    let shown = try desk.ask("GET /control/scenarios")
    let removed = try desk.ask("DELETE /control/scenarios")

    #expect(put == #"200 {"scenarios":[\#(Self.scenario)]}"#)
    #expect(shown == put)
    #expect(removed == "204")
    #expect(try desk.ask("GET /control/scenarios") == #"200 {"scenarios":[]}"#)
  }

  @Test("there are at most 100 faults, and 100 scenarios of a sandbox or a subscriber")
  func limits() throws {
    let faults = Array(repeating: #"{"status":503}"#, count: 101).joined(separator: ",")
    let scenarios = Array(repeating: #"{"outcome":"undeliverable"}"#, count: 101).joined(separator: ",")
    func message(_ name: String) -> String {
      #"400 {"error":"$.\#(name): expected at most 100 \#(name); found 101","field":"$.\#(name)"}"#
    }

    #expect(try desk.ask("PUT /control/faults", #"{"faults":[\#(faults)]}"#) == message("faults"))
    #expect(try desk.ask("POST /control/seed", #"{"faults":[\#(faults)]}"#) == message("faults"))
    #expect(
      try desk.ask("PUT /control/scenarios", #"{"scenarios":[\#(scenarios)]}"#) == message("scenarios"))
    #expect(try desk.ask("POST /control/seed", #"{"scenarios":[\#(scenarios)]}"#) == message("scenarios"))
    #expect(
      try desk.ask("PUT /control/subscribers/+12025550100", #"{"scenarios":[\#(scenarios)]}"#)
        == message("scenarios"))
    #expect(try desk.ask("GET /control/faults") == #"200 {"faults":[]}"#)
  }

  @Test("a scenario shows its number of matches")
  func scenarioHits() throws {
    _ = try desk.ask("PUT /control/scenarios", #"{"scenarios":[\#(Self.scenario)]}"#)

    try desk.send()

    #expect(
      try desk.ask("GET /control/scenarios")
        == #"200 {"scenarios":[\#(Self.scenario.replacing(#""hits":0,"applied":0"#, with: #""hits":1,"applied":1"#))]}"#
    )
  }

  @Test("a rule that is sent back with its matches goes on counting, and begins again without them")
  func sentBack() throws {
    let hit = Self.scenario.replacing(#""hits":0,"applied":0"#, with: #""hits":1,"applied":1"#)
    let other = Self.scenario.replacing("undeliverable", with: "slow").replacing(
      #""err":5"#, with: #""err":null"#)
    let added = other.replacing(#""hits":0,"applied":0,"#, with: "")
    _ = try desk.ask("PUT /control/scenarios", #"{"scenarios":[\#(Self.scenario)]}"#)
    try desk.send()

    let goingOn = try desk.ask("PUT /control/scenarios", #"{"scenarios":[\#(added),\#(hit)]}"#)
    let again = try desk.ask(
      "PUT /control/scenarios",
      #"{"scenarios":[\#(hit.replacing(#""hits":1,"applied":1,"#, with: ""))]}"#)

    #expect(goingOn == #"200 {"scenarios":[\#(other),\#(hit)]}"#)
    #expect(again == #"200 {"scenarios":[\#(Self.scenario)]}"#)
  }

  @Test("faults are replaced, shown and removed")
  func faults() throws {
    let put = try desk.ask(
      "PUT /control/faults", #"{"faults":[{"provider":"acme","status":503,"retryAfter":7,"times":1}]}"#)
    let shown = try desk.ask("GET /control/faults")
    let removed = try desk.ask("DELETE /control/faults")

    #expect(put == #"200 {"faults":[\#(Self.fault)]}"#)
    #expect(shown == put)
    #expect(removed == "204")
    #expect(try desk.ask("GET /control/faults") == #"200 {"faults":[]}"#)
  }

  @Test("an answer can be sent back as a request")
  func putBack() throws {
    for (path, document) in [
      ("/control/scenarios", #"{"scenarios":[\#(Self.scenario)]}"#),
      ("/control/faults", #"{"faults":[\#(Self.fault)]}"#),
    ] {
      #expect(try desk.ask("PUT \(path)", document) == "200 \(document)")
    }
  }

  @Test("a list with an error replaces nothing")
  func mistake() throws {
    _ = try desk.ask("PUT /control/faults", #"{"faults":[\#(Self.fault)]}"#)

    _ = try desk.ask("PUT /control/faults", #"{"faults":[{"status":500},{"status":1}]}"#)

    #expect(try desk.ask("GET /control/faults") == #"200 {"faults":[\#(Self.fault)]}"#)
  }
}
