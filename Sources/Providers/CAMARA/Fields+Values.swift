import ProviderKit

extension Fields {
  /// The optional member `phoneNumber`. It may have fewer digits than a number that exists.
  func optionalPhoneNumber(_ name: String = "phoneNumber") throws -> String? {
    guard let text = try optionalString(name) else {
      try requireAbsent(name, expected: Self.phoneNumberFormat)
      return nil
    }
    guard Self.isPhoneNumber(text) else { throw mismatch(name, expected: Self.phoneNumberFormat) }
    return text
  }

  /// A whole number; another type is an `INVALID_ARGUMENT`, another value an `OUT_OF_RANGE`.
  func optionalInteger(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let number = try optionalInt(name) else {
      try requireAbsent(name, expected: "an integer")
      return nil
    }
    guard range.contains(number) else {
      throw APIError.outOfRange(name, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Throws if a member without a value is there, as `null`: the official files allow no `null`.
  func requireAbsent(_ name: String, expected: String) throws {
    guard !has(name) else { throw mismatch(name, expected: expected) }
  }

  private static let phoneNumberFormat = "a phone number such as +12025550100"

  private static func isPhoneNumber(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.hasPrefix("+") && (5...15).contains(digits.count) && digits.first != UInt8(ascii: "0")
      && digits.allSatisfy { $0.isDigit }
  }
}
