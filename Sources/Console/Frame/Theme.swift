import Control

/// Light or dark, as chosen in a browser; without a choice, pages follow the system.
enum Theme: String {
  case light
  case dark

  /// The script of the pages writes it.
  private static let cookie = "theme"

  init?(_ request: Request) {
    guard let value = request.cookie(Self.cookie), let theme = Theme(rawValue: value) else { return nil }
    self = theme
  }
}
