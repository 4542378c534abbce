import Domain
import JSON
import ProviderKit

/// Source: contract 4, 6 (P15) and 1.4.
struct Settings: ProviderSettings {
  var tokens = TokenPolicy.open
  var strictBackground = false
  var accessTokenSeconds = 3599

  enum TokenPolicy: String, CaseIterable, Sendable {
    case open
    case knownOnly = "known-only"
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
    ])
}
