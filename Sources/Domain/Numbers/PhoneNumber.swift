import JSON

/// A phone number in E.164: `+`, a first digit that is not zero, 7 to 15 digits in all.
package struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number with its `+`.
  package let description: String

  /// A number, or nil for any other text; nothing is stripped or guessed.
  package init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
      digits.first != UInt8(ascii: "0"), digits.allSatisfy({ $0.isDigit })
    else { return nil }
    description = text
  }

  /// The ISO 3166-1 code of the country whose calling code starts the number, for countries we seed.
  package var country: String? {
    Self.countries.first { description.utf8.dropFirst().starts(with: $0.code.utf8) }?.country
  }

  /// Calling codes of the countries with numbers that are safe to seed, longest first.
  /// Source: `carrier.md` 5.
  private static let countries: [(code: String, country: String)] = [
    ("353", "IE"), ("33", "FR"), ("44", "GB"), ("46", "SE"), ("49", "DE"), ("61", "AU"), ("1", "US"),
  ]
}
