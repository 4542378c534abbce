import ProviderKit

/// Source: contract 2.3, 3.2, 3.5, 5.1 and 9.
struct Settings: ProviderSettings {
  /// The numbers of errors.
  enum ErrorCodes: String, CaseIterable {
    /// 8000 to 8011.
    case current
    /// 1000, 1001 and 1003 where they existed.
    case legacy
  }

  enum UnknownNumbers: String, CaseIterable {
    case reject
    case accept
  }

  var errorCodes = ErrorCodes.current
  var unknownNumbers = UnknownNumbers.reject
  var rateLimit = 0
  var accessTokenSeconds = 3600
  var sessionSeconds = 900
  var otpSeconds = 120
  var maxSends = 3
  var linkSeconds = 300
  var desktopSeconds = 180
  var keyInactivityDays = 365
  var preFillFailures = false

  static let provider = ProveProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "ProveSettings", "Settings of Prove.",
    [
      .field(
        "errorCodes", \.errorCodes, .word, default: .current,
        "Numbers of errors: the current ones from 8000, or those of older responses where they differ."),
      .field(
        "unknownNumbers", \.unknownNumbers, .word, default: .reject,
        "What happens to numbers that are not a test user's: an error, or a test user who passes everything."),
      .field(
        "rateLimit", \.rateLimit, .integer(0...1_000_000), default: 0,
        "Requests per second and client beyond which calls get 429; 0: no limit. The provider's limit is 25."),
      .field(
        "accessTokenSeconds", \.accessTokenSeconds, .integer(1...86_400), default: 3600,
        "How long an access token is valid, in seconds."),
      .field(
        "sessionSeconds", \.sessionSeconds, .integer(1...86_400), default: 900,
        "How long a correlation id and an auth token are valid, in seconds."),
      .field(
        "otpSeconds", \.otpSeconds, .integer(1...86_400), default: 120,
        "How long a one-time code is valid after it was sent, in seconds."),
      .field(
        "maxSends", \.maxSends, .integer(1...100), default: 3,
        "How many codes or links one flow may send."),
      .field(
        "linkSeconds", \.linkSeconds, .integer(1...86_400), default: 300,
        "How long an Instant Link is valid after it was sent, in seconds."),
      .field(
        "desktopSeconds", \.desktopSeconds, .integer(1...86_400), default: 180,
        "How long a desktop browser waits for the click on an Instant Link, in seconds."),
      .field(
        "keyInactivityDays", \.keyInactivityDays, .integer(1...36_500), default: 365,
        "After how many days without an authentication a Prove Key is inactive."),
      .field(
        "preFillFailures", \.preFillFailures, .boolean, default: false,
        "Whether Nevin Chattey fails challenge and Agretha Chene fails complete, and other test users as they say."
      ),
    ])
}
