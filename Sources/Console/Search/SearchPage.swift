import Markup
import ProviderKit

/// The results of a search. The script shows them below the field in the bar while one types.
struct SearchPage: Page {
  let title = "Search"
  private let text: String
  private let sandbox: Sandbox

  init(_ request: Request, _ sandbox: Sandbox) throws {
    text = try request.query[Self.parameter] ?? ""
    self.sandbox = sandbox
  }

  /// The field in the bar of each page.
  private static let parameter = "q"

  func content(_ layout: Layout) -> HTML {
    div(.class("page-head")) { h1 { text.isEmpty ? title : "Search for “\(text)”" } }
    div(.class("panel")) { HTML.gap }
  }

  func gaps(_ layout: Layout) -> [GapFilling] { [SearchResults.search(for: text, in: sandbox, layout)] }

  static func field(_ layout: Layout) -> HTML {
    form(
      .class("search"), .id("search"), .init("role", "search"),
      .init("action", layout.url("/console/search")),
      .label("Search and actions")
    ) {
      input(
        .type("search"), .name(parameter), .init("placeholder", "Find a number, code, request or action"),
        .label("Find a number, code, request or action"), .init("autocomplete", "off")
      )
      kbd(.init("aria-hidden", "true")) { "/" }
      div(.class("found-box"), .id("found-box"), .init(flag: "hidden"))
    }
  }
}
