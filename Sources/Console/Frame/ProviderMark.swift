import Guides
import Markup

/// A provider's name with its small square, the only place of its hue.
struct ProviderMark {
  private let provider: String
  private let text: String

  /// `text`: instead of the provider's name.
  init(_ provider: String, _ text: String? = nil) {
    self.provider = provider
    self.text = text ?? Self.title(of: provider)
  }

  /// As providers write their names, by their names in lower case.
  private static let titles = Dictionary(
    Guide.providers.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })

  static func title(of provider: String) -> String { titles[provider] ?? provider }

  var html: HTML { span(.class("mark"), .init("data-provider", provider)) { text } }
}
