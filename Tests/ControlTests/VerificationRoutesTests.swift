import Domain
import HTTP
import Testing

@Suite("Control · verifications")
struct VerificationRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test("the newest pending verification of a number is canceled")
  func cancel() throws {
    try desk.send()
    let ordinal = desk.sandbox.newestOrdinal - 2

    let answer = try desk.ask("POST /control/verifications/+12025550100/cancel")

    #expect(
      answer
        == #"200 {"id":\#(ordinal),"provider":"acme","to":"+12025550100","state":"canceled","#
        + #""at":"2026-01-05T10:20:30.000Z"}"#)
    #expect(try desk.ask("GET /control/events").contains(#""kind":"verification.canceled""#))
  }

  @Test("without a pending verification, cancel is 404")
  func nothing() throws {
    try desk.send()
    _ = try desk.ask("POST /control/verifications/+12025550100/cancel")

    #expect(
      try desk.ask("POST /control/verifications/+12025550100/cancel")
        == #"404 {"error":"there is no pending verification of +12025550100"}"#)
    #expect(try desk.ask("POST /control/verifications/nobody/cancel").hasPrefix("404"))
  }
}
