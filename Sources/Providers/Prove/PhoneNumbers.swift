import Domain
import JSON
import ProviderKit

/// A phone number as a request gives it. Source: contract 3.3.
struct MobileNumber: Equatable {
  /// As the client supplied it: responses repeat it.
  let text: String
  let number: PhoneNumber

  var region: Region { isNorthAmerican ? .northAmerica : .europe }

  /// For errors: what a valid number looks like.
  static let expected = "10 digits in the US and Canada, else + and country code"

  /// For schemas.
  static let pattern = "^\\+?[0-9]{7,15}$"

  private let isNorthAmerican: Bool

  /// Ten digits, `1` and ten digits, or `+1` and ten digits in North America; others with `+` and country
  /// code. Nil for any other text.
  ///
  /// Without a plus sign, numbers of more than 11 digits are read as international.
  init?(_ text: String) {
    let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy({ $0.isDigit }) else { return nil }
    let hasPlus = digits.utf8.count < text.utf8.count
    let isShort = !hasPlus && digits.utf8.count == 10
    isNorthAmerican = isShort || digits.utf8.count == 11 && digits.hasPrefix("1")
    guard let number = PhoneNumber((isShort ? "+1" : "+") + digits) else { return nil }
    self.text = text
    self.number = number
  }
}
