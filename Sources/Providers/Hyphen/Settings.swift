import ProviderKit

/// Source: contract 1, 4.2, 4.6 and 6.
struct Settings: ProviderSettings {
  enum Profile: String, CaseIterable, Sendable {
    case strict
    case lenient
  }

  enum MessageForm: String, CaseIterable, Sendable {
    case hash
    case cadence
  }

  var profile = Profile.lenient
  var messageForm = MessageForm.hash
  var retryExtends = false
  var accessTokenSeconds = 3600
  var refreshTokenDays = 30

  static let provider = HyphenProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "HyphenSettings", "Settings of Hyphen.",
    [
      .field(
        "profile", \.profile, .word, default: .lenient,
        "Strict: only seeded app secrets, and only signatures that verify. Lenient also accepts unknown secrets, short public keys with any well-formed signature, and approvals with a signature instead of a transaction."
      ),
      .field(
        "messageForm", \.messageForm, .word, default: .hash,
        "The message in a request for approval: 64 hex digits, or JSON with the script that adds the key."),
      .field(
        "retryExtends", \.retryExtends, .boolean, default: false,
        "Whether sending a request to another device gives it another 300 seconds."),
      .field(
        "accessTokenSeconds", \.accessTokenSeconds, .integer(1...86_400), default: 3600,
        "How long an access token is valid, in seconds."),
      .field(
        "refreshTokenDays", \.refreshTokenDays, .integer(1...365), default: 30,
        "How long a refresh token is valid, in days. It can be used once."),
    ])
}
