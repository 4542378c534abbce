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

  /// A number of the region whose host the request names. Source: contract 1.1 and 3.3.
  init(_ text: String, named field: String, in context: RequestContext) throws {
    guard let number = MobileNumber(text) else {
      throw APIError.malformed(field, expected: Self.expected)
    }
    let host = context.request.host
    if let region = Region(ofHost: host), region != number.region {
      throw APIError.malformed(field, expected: "a number of the region of \(host)")
    }
    try Self.requirePossible(number.number, named: field, in: context)
    self = number
  }

  /// Throws for a number that cannot exist, in a sandbox that accepts others than its test users. Source:
  /// contract 4.2.
  private static func requirePossible(
    _ number: PhoneNumber, named field: String, in context: RequestContext
  ) throws {
    guard context.settings.unknownNumbers == .accept else { return }
    let validity = try context.sandbox.numbers.validity(of: number)
    guard validity != .valid, try TestUser.find(number, in: context.sandbox) == nil else { return }
    throw APIError.malformed(field, expected: "a number that can exist")
      .because(NumberPlan.explanation(of: validity, number))
  }
}
