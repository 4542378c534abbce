import ProviderKit

/// Source: contract 4, 6 (P15), 1.4 and additions.
struct Settings: ProviderSettings {
  var tokens = TokenPolicy.open
  var strictBackground = false
  var accessTokenSeconds = 3599
  var errorTexts = ErrorTexts.newest
  var apnsKeyError: APNsKeyError?

  enum TokenPolicy: String, CaseIterable, Sendable {
    case open
    case knownOnly = "known-only"
  }

  enum ErrorTexts: String, CaseIterable, Sendable {
    /// Since August 2026.
    case newest
    case previous
  }

  /// Source: contract, additions.
  enum APNsKeyError: String, CaseIterable, Sendable {
    case invalidProviderToken = "InvalidProviderToken"
    case badEnvironmentKey = "BadEnvironmentKeyInToken"
    case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
    case unrelatedKeyID = "UnrelatedKeyIdInToken"
  }

  static let provider = FCMProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "FCMSettings", "Settings of the FCM provider.",
    [
      .field(
        "tokens", \.tokens, .word, default: .open,
        "Which device tokens are valid: any, or only those of known devices and those that begin with sbx-."),
      .field(
        "strictBackground", \.strictBackground, .boolean, default: false,
        "Reject background pushes of APNs priority 10, as Apple does; false only warns in the journal."),
      .field(
        "accessTokenSeconds", \.accessTokenSeconds, .integer(1...86_400), default: 3599,
        "How long an access token is valid, in seconds."),
      .field(
        "errorTexts", \.errorTexts, .word, default: .newest,
        "Texts and details of errors about tokens and sizes: the newest, or those before August 2026."),
      .nullable(
        "apnsKeyError", \.apnsKeyError, .word,
        "Why Apple refuses the project's key, in the error of a token with the state thirdparty; null: no reason."
      ),
    ])
}
