import JSON

/// A country in seeds: ISO 3166-1 alpha-2.
package enum CountryCode {
  /// What is expected of a list of countries, for error messages.
  package static let expected = "countries of two capitals, FR"

  /// Checks the form only: two capital letters.
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }
}

/// A literal IPv4 or IPv6 address.
package enum IPAddress {
  /// For IPv6, checks only that there are three to eight groups of at most four hex digits.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4 {
      return parts.allSatisfy { part in
        part.utf8.allSatisfy { $0.isDigit } && UInt8(part) != nil
      }
    }
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    return (3...8).contains(groups.count)
      && groups.allSatisfy { $0.utf8.count <= 4 && $0.allSatisfy(\.isHexDigit) }
  }
}
