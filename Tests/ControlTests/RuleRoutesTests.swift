import Testing

@Suite("Control · scenarios and faults")
struct RuleRoutesTests {
  @Test("there are at most 100 faults, and 100 scenarios of a sandbox or a subscriber")
  func limits() throws {
    let faults = Array(repeating: #"{"status":503}"#, count: 101).joined(separator: ",")
    let scenarios = Array(repeating: #"{"outcome":"undeliverable"}"#, count: 101).joined(separator: ",")
    let desk = try Desk()
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
}
