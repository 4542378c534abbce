import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · SMS Verify", .contract("telesign.md 7.1"))
struct TelesignSMSVerifyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test(
    "invalid parameters are rejected and named in the journal, and nothing is sent",
    arguments: [
      ("verify_code", "12"), ("verify_code", "12345678"), ("verify_code", "12a4"), ("verify_code", "１２３"),
      ("ucid", "NOPE"), ("template", String(repeating: "x", count: 1601)),
      ("sender_id", String(repeating: "x", count: 21)), ("originating_ip", "1.2.3"),
      ("sim_swap_check", "perhaps"),
    ])
  func invalid(name: String, value: String) throws {
    let exchange = try telesign.post(
      "/v1/verify/sms", form: ["phone_number": TelesignWorld.number, name: value])

    if value == "12" { exchange.matches(golden: "invalid-code") }
    #expect(try exchange.errorCodes() == "400 500 -10001")
    #expect(exchange.why?.hasPrefix("\(name): expected ") == true)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }
}
