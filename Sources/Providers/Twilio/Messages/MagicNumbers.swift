import Numbers

/// The provider's test numbers. They fail with any account here, and with test credentials only at the
/// provider. Source: contract 15.
enum MagicNumber {
  /// The error of a sender; nil for all others.
  static func senderError(_ sender: String) -> Int? {
    switch sender {
    case "+15005550001": 21212
    case "+15005550007": 21606
    case "+15005550008": 21611
    default: nil
    }
  }

  /// The error of a receiver; nil for all others.
  static func receiverError(_ receiver: String) -> Int? {
    switch receiver {
    case "+15005550001": 21211
    case "+15005550002": 21612
    case "+15005550003": 21408
    case "+15005550004": 21610
    case "+15005550009": 21614
    default: nil
    }
  }

  /// The test number that sends without an error.
  static let sender = "+15005550006"

  /// True for numbers of the provider's range, which nobody has.
  static func contains(_ number: PhoneNumber) -> Bool {
    number.description.utf8.count == 12 && number.description.hasPrefix("+1500555000")
  }
}
