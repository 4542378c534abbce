import Domain
package import HTTP

/// The cookie in which a browser keeps its token.
package enum BrowserToken {
  private static let name = "ringfence-token"

  /// Nil if the browser has not signed in.
  package static func read(from request: Request) -> String? {
    request.cookie(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sandbox that the browser's token is for, right or wrong; nil if it has another token or none.
  package static func sandboxName(of request: Request) -> String? {
    read(from: request).flatMap(AccessTokens.sandboxName).flatMap { SandboxName($0)?.text }
  }

  /// The field that makes a browser keep the token, or forget it: not readable by scripts, and not sent with
  /// requests that other sites cause.
  package static func field(keeping token: String?, for request: Request) -> Headers {
    let age = token == nil ? "; Max-Age=0" : ""
    let secure = request.origin.hasPrefix("https:") ? "; Secure" : ""
    let value = token.map { String($0.unicodeScalars.filter(isAllowed).map(Character.init)) } ?? ""
    return ["Set-Cookie": "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict\(secure)\(age)"]
  }

  /// RFC 6265, 4.1.1: visible characters without those that end a value.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    0x21...0x7E ~= scalar.value && !"\",;\\".unicodeScalars.contains(scalar)
  }
}
