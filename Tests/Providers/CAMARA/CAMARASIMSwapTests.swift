import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · SIM swap", .contract("camara.md 6"))
struct CAMARASIMSwapTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private func check(_ body: String) throws -> Exchange {
    try camara.call("/sim-swap/v2/check", body, token: camara.token("sim-swap:check"))
  }

  @Test("M30: the age of a swap is compared with maxAge")
  func maxAge() throws {
    let ages = ["", #","maxAge":71"#, #","maxAge":73"#, #","maxAge":24"#]
    let answers = try ages.map { try check(#"{"phoneNumber":"+12025550102"\#($0)}"#).answer }

    #expect(
      answers == [true, false, true, false].map { #"200 {"swapped":\#($0)}"# })
    try check(#"{"phoneNumber":"+12025550102"}"#).matches(golden: "swapped")
  }

  @Test("M33: a token without a subscriber needs a number, of a line that exists")
  func identifiers() throws {
    #expect(try camara.error(check("{}")) == "422 MISSING_IDENTIFIER")
    #expect(try camara.error(check(#"{"phoneNumber":"+12345"}"#)) == "404 IDENTIFIER_NOT_FOUND")
    #expect(try camara.error(check(#"{"phoneNumber":"+12025550112"}"#)) == "422 SERVICE_NOT_APPLICABLE")
    try check("{}").matches(golden: "no-number")
  }
}
