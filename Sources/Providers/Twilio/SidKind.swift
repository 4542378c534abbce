import ProviderKit

/// What a SID names; the raw value is its first two letters. Source: contract 2.1.
enum SidKind: String {
  case account = "AC"
  case apiKey = "SK"
  case oauthClient = "OQ"
  case service = "VA"
  case verification = "VE"
  case attempt = "VL"
  case messagingService = "MG"
  case phoneNumber = "PN"
  case credential = "CR"
  case template = "HJ"
  case content = "HX"
  case rateLimit = "RK"
  case bucket = "BL"
  case safeNumber = "GN"
  case entity = "YE"
  case factor = "YF"
  case challenge = "YC"
  case notification = "NT"
  case accessToken = "YK"

  /// True for a SID of this kind: the two letters and 32 hex digits.
  func matches(_ text: String) -> Bool {
    text.utf8.count == 34 && text.hasPrefix(rawValue)
      && text.utf8.inMemory { $0.dropFirst(2).allSatisfy(\.isHexDigit) }
  }
}

extension FieldType where Value == String {
  static func sid(_ kind: SidKind) -> FieldType {
    .text(
      .string(pattern: "^\(kind.rawValue)[0-9A-Fa-f]{32}$"), expected: "\(kind.rawValue) and 32 hex digits",
      kind.matches)
  }
}
