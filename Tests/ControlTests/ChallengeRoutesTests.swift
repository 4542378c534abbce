import Testing

@Suite("Control · challenges")
struct ChallengeRoutesTests {
  @Test("another person's app cannot scan a challenge")
  func foreignScan() throws {
    let desk = try Desk()
    _ = try desk.respond("POST /questions/v1/questions", "to=%2B12025550100")
    _ = try desk.respond("POST /control/devices", #"{"number":"+12025550101","provider":"acme"}"#)
    let text = #"{"text":"Q12025550100"}"#

    #expect(try desk.ask("POST /control/devices/latest/scan", text).hasPrefix("409"))
    #expect(try desk.ask("POST /control/devices/+12025550100/scan", text).hasPrefix("404"))
    #expect(try desk.ask("POST /control/devices/+12025550100/scan", "{}").hasPrefix("400"))
  }
}
