import Numbers
import Testing

@Suite("Domain · phone numbers")
struct PhoneNumberTests {
  @Test(
    "a number is a plus sign and 7 to 15 digits that do not start with zero",
    arguments: ["+1234567", "+12025550100", "+447700900123", "+123456789012345"])
  func numbers(text: String) {
    #expect(PhoneNumber(text)?.description == text)
  }

  @Test(
    "nothing is stripped or guessed",
    arguments: [
      "", "+", "12025550100", "0012025550100", "+1 202 555 0100", "+1-202-555-0100", "+1(202)5550100",
      "+123456",
      "+1234567890123456", "+02025550100", "+١٢٠٢٥٥٥٠١٠٠", "＋12025550100", "+1202555010a", "+12025550100 ",
      "++12025550",
    ])
  func others(text: String) {
    #expect(PhoneNumber(text) == nil)
  }

  @Test(
    "a number has a country if its prefix is known",
    arguments: [
      ("+12025550100", "US"), ("+353209101234", "IE"), ("+33639980001", "FR"), ("+447700900123", "GB"),
      ("+46701740605", "SE"), ("+4915228817386", "DE"), ("+61491570156", "AU"), ("+819012345678", "JP"),
      ("+990123456", nil),
    ] as [(String, String?)])
  func countries(text: String, country: String?) throws {
    #expect(try #require(PhoneNumber(text)).country == country)
  }
}
