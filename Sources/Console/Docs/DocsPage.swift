import Guides
import Markup
import ProviderKit

/// The documentation that is built into the program: its pages in a list.
struct DocsPage: Page {
  let title = "Documentation"
  static let path = "/console/docs"

  func content(_ layout: Layout) -> HTML {
    h1 { title }
    p(.class("soft")) {
      "The same as text: "
      code { "ringfence docs" }
      ", or "
      a(.href(layout.url("/control/docs"))) { "/control/docs" }
      "."
    }
    div(.class("columns")) {
      for (name, folder) in [("Pages", ""), ("Providers", "Providers"), ("Recipes", "Recipes")] {
        section {
          h2 { name }
          ul {
            for guide in Guide.all.filter({ $0.folder == folder }) {
              li {
                a(.href(layout.url("\(Self.path)/\(guide.path)"))) { guide.title.replacing("`", with: "") }
              }
            }
          }
        }
      }
    }
  }
}

/// A page of the documentation.
struct GuidePage: Page {
  private let guide: Guide

  init(_ request: Request, _ sandbox: Sandbox) throws {
    let names = ["folder", "page"].compactMap { request.parameters.value($0) }
    guard let guide = Guide.named(names.joined(separator: "/")) else {
      throw try NotFound("page \(Guide.unknown(names.joined(separator: "/")))", request, sandbox)
    }
    self.guide = guide
  }

  var title: String { guide.title.replacing("`", with: "") }

  func content(_ layout: Layout) -> HTML {
    p(.class("small")) { a(.href(layout.url(DocsPage.path))) { "Documentation" } }
    article(.class("docs")) { Markdown { address(of: $0, layout) }.html(of: guide.lines) }
  }

  /// Where a link leads: another page, or elsewhere. Nil for what is in the repository only.
  private func address(of link: String, _ layout: Layout) -> String? {
    if link.hasPrefix("http") { return link }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let anchor = parts.count == 2 ? "#\(Markdown.anchor)\(parts[1])" : ""
    if parts[0].isEmpty { return anchor }
    var folders = guide.folder.isEmpty ? [] : [guide.folder]
    for part in parts[0].split(separator: "/").map(String.init) {
      if part == ".." { guard folders.popLast() != nil else { return nil } } else { folders.append(part) }
    }
    let path = folders.joined(separator: "/")
    guard path.hasSuffix(".md"), let other = Guide.named(path), "\(other.path).md" == path else { return nil }
    return layout.url("\(DocsPage.path)/\(other.path)") + anchor
  }
}
