import Markup
import ProviderKit

/// The page of a provider that plays its apps.
struct ProviderPage: Page {
  let own: ConsolePage

  var title: String { own.title }

  var files: HTML {
    HTML {
      link(.init("rel", "stylesheet"), .init("href", own.files.style))
      script(.type("module"), .init("src", own.files.script))
    }
  }

  func content(_ layout: Layout) -> HTML { OwnCode(resource: own.content).html }
}
