import Numbers
import Support
import Testing

@testable import Prelude

@Suite("Prelude · scenarios", .contract("prelude.md 16.1"))
struct PreludeScenarioTests {
  @Test(
    "the last digits choose scenarios only for fictional numbers",
    arguments: ["+33612345610", "+12025550210", "+442079460010"])
  func ranges(number: String) throws {
    #expect(TestScenario(lastDigitsOf: try #require(PhoneNumber(number))) == nil)
  }

  @Test("American last digits are the same, without silent verification")
  func american() throws {
    let outcomes = try ["+12125550110", "+12125550101", "+12125550141"].map {
      TestScenario(lastDigitsOf: try #require(PhoneNumber($0)))
    }

    #expect(outcomes == [.blockedSuspicious, .success, .silentCarrierDown])
  }
}
