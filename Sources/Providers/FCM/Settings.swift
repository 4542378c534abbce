import Domain
import JSON
import ProviderKit

/// Settings of a sandbox: what tests want otherwise. Source: contract 4, 6 (P15) and 1.4.
struct Settings: ListedSettings {
  static let provider = FCMProvider.name

  /// `open` or `known-only`: whether any token is a device's from its first use on, or only those that were seeded
  /// or made, and those that begin with `sbx-`.
  var tokens = "open"
  /// Whether a message without anything to show is refused when it asks Apple's gateway for what only messages
  /// with something to show may have. Otherwise the journal says so.
  var strictBackground = false
  /// How long access tokens are worth something, in seconds.
  var accessTokenSeconds = 3599

  /// Every member, as seeds have them.
  static var settings: [Setting<Settings>] {
    [
      .word("tokens", \.tokens, ["open", "known-only"]),
      .flag("strictBackground", \.strictBackground),
      .number("accessTokenSeconds", \.accessTokenSeconds, 1...86_400),
    ]
  }
}
