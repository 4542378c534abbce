import Control
import Markup

/// The way back to the sandbox whose token the browser has, or which it joined without one, for pages that
/// show nothing of a sandbox.
struct OwnSandboxLink {
  private let name: String?
  private let isElsewhere: Bool
  /// True if it is the sandbox whose page cannot be shown.
  private let isGone: Bool

  /// `prefix`: that of a sandbox whose page cannot be shown.
  init(_ request: Request, insteadOf prefix: String = "") {
    name = BrowserToken.sandboxName(of: request) ?? JoinedSandbox.name(in: request)
    isElsewhere = !prefix.isEmpty
    isGone = name.map { prefix == "/s/\($0)" } ?? false
  }

  @HTMLBuilder var html: HTML {
    if let name, !isGone {
      if isElsewhere {
        p {
          "A browser keeps one card, and this one has joined \(name). If you are still in the other workshop, "
          "type the phrase of its card again."
        }
      }
      p { a(.class("button"), .href("/s/\(name)/#tasks")) { "Back to your sandbox \(name)" } }
    }
  }
}
