import Numbers
import Testing

@Suite("Domain · the public numbering plan")
struct PublicNumberingPlanTests {
  @Test(
    "real numbers of many countries are valid",
    arguments: [
      "+12125551234", "+14165550123", "+442079460018", "+447911123456", "+33612345678", "+4915112345678",
      "+819012345678", "+8613812345678", "+5511912345678", "+919876543210", "+61412345678", "+390612345678",
      "+97239999999", "+80012345678", "+15005550006",
    ])
  func valid(text: String) throws {
    let number = try #require(PhoneNumber(text))
    #expect(PublicNumberingPlan.world.validity(of: number) == .valid)
  }

  @Test(
    "the country follows from the longest prefix",
    arguments: [
      ("+12025550100", "US"), ("+14165550100", "CA"), ("+18765550100", "JM"), ("+447700900123", "GB"),
      ("+441534123456", "JE"), ("+74951234567", "RU"), ("+77011234567", "KZ"), ("+390669812345", "VA"),
      ("+262269123456", "YT"), ("+353209101234", "IE"), ("+80012345678", nil), ("+990123456", nil),
    ])
  func country(text: String, country: String?) throws {
    #expect(try #require(PhoneNumber(text)).country == country)
  }

  @Test(
    "a number is split after its country code",
    arguments: [
      ("+12025550100", "1", "2025550100"), ("+447700900123", "44", "7700900123"),
      ("+353209101234", "353", "209101234"), ("+990123456", nil, "990123456"),
    ])
  func parts(text: String, code: String?, rest: String) throws {
    let number = try #require(PhoneNumber(text))
    #expect(number.callingCode == code)
    #expect(number.nationalDigits == rest)
  }

  @Test(
    "a number is written as in its country",
    arguments: [
      ("+12025550100", "(202) 555-0100"), ("+447700900123", "07700 900123"),
      ("+442079460018", "020 7946 0018"),
      ("+33639980001", "06 39 98 00 01"), ("+4915112345678", "01511 2345678"),
      ("+390612345678", "06 1234 5678"),
      ("+5491123456789", "011 15-2345-6789"), ("+81312345678", "03-1234-5678"), ("+990123456", "990123456"),
      ("+1202555", "202555"),
    ])
  func nationalFormat(text: String, national: String) throws {
    #expect(try #require(PhoneNumber(text)).nationalFormat == national)
  }

  @Test(
    "a text that is no number in E.164 has a problem too",
    arguments: [
      ("+12", NumberValidity.tooShort), ("+1234567890123456", .tooLong), ("+0123456789", .invalidCountryCode),
      ("12025550100", nil), ("+1202555x100", nil), ("", nil),
    ])
  func text(text: String, problem: NumberValidity?) {
    #expect(NumberValidity(ofText: text) == problem)
  }
}
