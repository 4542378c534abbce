import ProviderKit

/// Why a text is no phone number.
struct NumberProblem: Error {
  /// `number` or `country`.
  let field: String
  let expected: String
  let found: String

  var why: String { "expected \(expected); found \(found.quoted)" }
}

extension LegacyFields {
  /// The number of a text, in international form or as people of the country dial it. Blanks, brackets,
  /// hyphens and dots mean nothing. Source: contract 9 and 10.
  static func number(_ text: String, of country: String?) throws(NumberProblem) -> PhoneNumber {
    let expected = "a phone number such as 12025550100, without letters"
    guard (1...50).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0.isDigit || separators.contains($0) })
    else { throw NumberProblem(field: "number", expected: expected, found: text) }
    guard let country = country?.uppercased() else {
      let digits = text.filter { $0.isASCII && $0.isNumber }
      let isDialled = !text.contains("+") && digits.hasPrefix("00")
      guard let number = PhoneNumber("+\(digits.dropFirst(isDialled ? 2 : 0))") else {
        throw NumberProblem(field: "number", expected: expected, found: text)
      }
      return number
    }
    guard let code = NumberPlan.callingCode(ofCountry: country) else {
      throw NumberProblem(field: "country", expected: "two letters of ISO 3166-1 such as US", found: country)
    }
    guard let number = DialledText(text, from: country).number, number.description.hasPrefix("+\(code)")
    else {
      throw NumberProblem(
        field: "number", expected: "a number of \(country), which begins with \(code)", found: text)
    }
    return number
  }

  private static let separators = Set(" \t\r\n+-.()".utf8)
}
