import ProviderKit

/// Source: contract 2, 4, 6 (P21)
struct Settings: ProviderSettings {
  var tokens = TokenPolicy.open
  var strictBackground = false
  var checksTokenAge = true
  var limitsTokenUpdates = true

  enum TokenPolicy: String, CaseIterable, Sendable {
    case open
    case knownOnly = "known-only"
  }

  static let provider = APNsProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "APNsSettings", "Settings of the APNs provider.",
    [
      .field(
        "tokens", \.tokens, .word, default: .open,
        "Which device tokens are valid: any hex token and any that begins with sbx-, or without hex tokens that no "
          + "device has."),
      .field(
        "strictBackground", \.strictBackground, .boolean, default: false,
        "Reject background pushes of priority 10; false only warns in the journal."),
      .field(
        "checksTokenAge", \.checksTokenAge, .boolean, default: true,
        "Reject provider tokens that are older than an hour by the sandbox's clock; false for clients that sign "
          + "with another clock."),
      .field(
        "limitsTokenUpdates", \.limitsTokenUpdates, .boolean, default: true,
        "Reject a new provider token of a key less than 20 minutes after its last one; false for clients that "
          + "sign one for each push."),
    ])
}
