import JSON

/// A phone number in E.164: `+`, a first digit that is not zero, 7 to 15 digits in all.
package struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number with its `+`.
  package let description: String

  /// Nil for any other text; nothing is stripped or guessed.
  package init?(_ text: String) {
    var text = text
    guard text.withUTF8(Self.isValid) else { return nil }
    description = text
  }

  /// Every request with a number runs this, so it reads the bytes directly.
  private static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (8...16).contains(text.count), text[0] == UInt8(ascii: "+"), text[1] != UInt8(ascii: "0") else {
      return false
    }
    for index in 1..<text.count where !text[index].isDigit { return false }
    return true
  }

  /// The digits as one number: 15 at most, so they fit.
  var digits: Int {
    var text = description
    return text.withUTF8 { text in
      var value = 0
      for index in 1..<text.count { value = value &* 10 &+ Int(text[index] &- 0x30) }
      return value
    }
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
