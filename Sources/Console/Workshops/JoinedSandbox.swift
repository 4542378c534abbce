import Control
import Markup

/// The participant's sandbox in a browser that joined a workshop on a server without tokens. There, nothing
/// else tells participants apart.
struct JoinedSandbox {
  private static let cookie = "ringfence-sandbox"

  /// The field that makes a browser keep the sandbox that it joined.
  static func field(keeping sandbox: String, for request: Request) -> Headers {
    BrowserCookie.field(cookie, keeping: sandbox, for: request)
  }

  /// The sandbox that the browser joined, whether it still exists or not.
  static func name(in request: Request) -> String? {
    request.cookie(cookie).flatMap { SandboxName($0)?.text }
  }

  let name: String

  /// Nil if the browser joined none, or if it was removed.
  init?(_ request: Request, in sandboxes: Sandboxes) throws {
    guard let name = Self.name(in: request), let sandbox = sandboxes[name],
      try sandbox.workshopPlace != nil
    else { return nil }
    self.name = name
  }

  var html: HTML {
    p(.class("back-to-tasks")) { a(.class("button"), .href("/s/\(name)/#tasks")) { "Back to your tasks" } }
  }
}
