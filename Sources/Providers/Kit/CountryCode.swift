/// How seeds write countries: ISO 3166-1 alpha-2.
package enum CountryCode {
  /// What a list of them has to be.
  package static let expected = "countries of two capitals, FR"

  /// Whether a text has the form of one.
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}
