import JSON

/// If a phone number can exist, and else what is wrong with it.
package enum NumberValidity: String, CaseIterable, Sendable {
  case valid
  /// The country code is not assigned.
  case invalidCountryCode
  case tooShort
  case tooLong
  /// The country has shorter and longer numbers.
  case invalidLength
  /// The length is possible, but no number of the country begins so.
  case invalidPrefix
}

extension NumberValidity {
  /// The reason why a text is no `PhoneNumber`; nil if the text is not a plus sign and digits.
  package init?(ofText text: String) {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "+"), digits.allSatisfy({ $0.isDigit }) else { return nil }
    switch digits.count {
    case ...6: self = .tooShort
    case 16...: self = .tooLong
    default: self = .invalidCountryCode
    }
  }
}
