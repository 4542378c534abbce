import Domain
import JSON
import ProviderKit

/// Why a text is no phone number.
struct NumberProblem: Error {
  /// `number` or `country`.
  let field: String
  let expected: String
}

extension LegacyFields {
  /// The number of a text, in international form or in that of the field `country`. Blanks, brackets, hyphens
  /// and dots mean nothing. Source: contract 9 and 10.
  func number(_ text: String, in sandbox: Sandbox) throws -> PhoneNumber {
    let expected = "a phone number such as 12025550100, without letters"
    guard (1...50).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0.isDigit || Self.separators.contains($0) })
    else { throw NumberProblem(field: "number", expected: expected) }
    var digits = text.filter { $0.isASCII && $0.isNumber }
    let isInternational = text.contains("+") || digits.hasPrefix("00")
    if !text.contains("+"), digits.hasPrefix("00") { digits.removeFirst(2) }
    var candidates = [digits]
    if let country = self["country"] {
      guard let code = NumberPlan.callingCode(ofCountry: country.uppercased()) else {
        throw NumberProblem(field: "country", expected: "two letters of ISO 3166-1 such as US")
      }
      candidates = Self.candidates(digits, code, isInternational: isInternational)
      guard !candidates.isEmpty else {
        throw NumberProblem(field: "number", expected: "a number of \(country), which begins with \(code)")
      }
    }
    let numbers = candidates.compactMap { PhoneNumber("+\($0)") }
    guard let first = numbers.first else { throw NumberProblem(field: "number", expected: expected) }
    return try numbers.first { try sandbox.numbers.validity(of: $0) == .valid } ?? first
  }

  /// What digits may mean in a country: a number with its calling code, or one without, where a zero at the
  /// start is the prefix for calls within the country, but in Italy a part of the number.
  private static func candidates(_ digits: String, _ code: String, isInternational: Bool) -> [String] {
    let whole = digits.hasPrefix(code) ? [digits] : []
    if isInternational { return whole }
    return whole + [code + (code == "39" ? digits : String(digits.drop { $0 == "0" }))]
  }

  private static let separators = Set(" \t\r\n+-.()".utf8)
}
