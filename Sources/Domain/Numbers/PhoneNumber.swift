import JSON

/// A phone number in E.164: `+`, a first digit that is not zero, 7 to 15 digits in all.
package struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number with its `+`.
  package let description: String

  /// Nil for any other text; nothing is stripped or guessed.
  package init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
      digits.first != UInt8(ascii: "0"), digits.allSatisfy({ $0.isDigit })
    else { return nil }
    description = text
  }

  package static let pattern = "^\\+[1-9][0-9]{6,14}$"
  /// For errors: what a valid number looks like.
  package static let expected = "a phone number such as +12025550100"

  /// The number that a text in another notation may mean: `1 (202) 555-0100`, `0012025550100`; nil if none is valid.
  package static func suggestion(for text: String) -> PhoneNumber? {
    var digits = text.filter { !" +-./()".contains($0) }
    if !text.contains("+"), digits.hasPrefix("00") { digits.removeFirst(2) }
    return PhoneNumber("+\(digits)")
  }

  /// The ISO 3166-1 code of the country with this calling code; nil for countries without seeded numbers.
  package var country: String? {
    Self.countries.first { description.utf8.dropFirst().starts(with: $0.code.utf8) }?.country
  }

  /// Calling codes of the countries with numbers that are safe to seed, longest first.
  /// Source: `carrier.md` 5.
  private static let countries: [(code: String, country: String)] = [
    ("353", "IE"), ("33", "FR"), ("44", "GB"), ("46", "SE"), ("49", "DE"), ("61", "AU"), ("1", "US"),
  ]
}
