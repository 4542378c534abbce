import Numbers
import Support
import Testing

@Suite("Domain · countries")
struct CountryTests {
  @Test("codes of ISO 3166 and of numbering plans are countries", arguments: ["US", "GB", "AQ", "XK"])
  func known(code: String) {
    #expect(Country.isCode(code))
  }

  @Test("other texts are none", arguments: ["XX", "UK", "us", "USA", "", "U ", "AC TA"])
  func unknown(code: String) {
    #expect(!Country.isCode(code))
  }

  @Test("every country of a numbering plan has a code")
  func numberingPlans() {
    let countries = PublicNumberingPlan.world.countryCodes

    #expect(countries.count > 200)
    #expect(countries.filter { !Country.isCode($0) } == [])
  }
}
