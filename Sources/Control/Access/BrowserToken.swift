/// The cookie in which a browser keeps its token.
package enum BrowserToken {
  private static let name = "ringfence-token"

  /// Nil if the browser has not signed in.
  package static func read(from request: Request) -> String? {
    request.cookie(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sandbox that the browser's token is for, right or wrong; nil if it has another token or none.
  package static func sandboxName(of request: Request) -> String? {
    read(from: request).flatMap(sandboxName)
  }

  /// The same for any token.
  package static func sandboxName(in token: String) -> String? {
    AccessTokens.sandboxName(in: token).flatMap { SandboxName($0)?.text }
  }

  /// The field that makes a browser keep the token, or forget it.
  package static func field(keeping token: String?, for request: Request) -> Headers {
    BrowserCookie.field(name, keeping: token, for: request)
  }
}
