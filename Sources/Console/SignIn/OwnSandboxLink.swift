import Control
import Markup

/// The way back to the sandbox whose token the browser has, or which it joined without one, for pages that
/// show nothing of a sandbox.
struct OwnSandboxLink {
  private let name: String?

  init(_ request: Request) { name = BrowserToken.sandboxName(of: request) ?? JoinedSandbox.name(in: request) }

  @HTMLBuilder var html: HTML {
    if let name {
      p { a(.class("button"), .href("/s/\(name)/#tasks")) { "Back to your sandbox \(name)" } }
    }
  }
}
