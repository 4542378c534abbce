import Domain
package import HTTP
import ProviderKit

/// Which of the vendor's two keys a credential is. Source: contract 1.2.
enum Key: String {
  /// A server's: `Authorization: Bearer`.
  case apiToken
  /// An app's: `X-SDK-Key`.
  case sdkKey
}

extension PreludeProvider {
  /// The key that a request signs in with: a server's, or an app's.
  package static func credential(in request: Request) -> String? {
    if case .token(let token) = BearerToken(request.headers) { return token }
    return request.headers["X-SDK-Key"]
  }
}

/// Proves that a server of the account calls. A sandbox is one account; an unknown key is let in where the
/// sandbox is open, so that an app keeps whatever is in its environment. Source: contract 1.2 and 11.2.
func authenticate(_ request: Request, in sandbox: Sandbox) throws {
  switch BearerToken(request.headers) {
  case .absent: throw Problem(.missingAPIKey)
  case .malformed: throw Problem(.invalidBearerToken)
  case .token(let token):
    guard try admits(token, as: .apiToken, in: sandbox) else {
      throw Problem(.invalidAPIKey).because("no such API key in sandbox \(sandbox.name)")
    }
  }
}

/// Whether a key may act: a known one as what it is, an unknown one where the sandbox is open.
func admits(_ token: String, as key: Key, in sandbox: Sandbox) throws -> Bool {
  guard let known = try sandbox.accounts.find(token, of: PreludeProvider.name) else {
    return sandbox.acceptsUnknownAccounts
  }
  return known.account == key.rawValue
}

/// The claim that an account verifies a destination. Source: contract 4.2.
func claim(of destination: String) -> Claim {
  Claim(provider: PreludeProvider.name, owner: "account", destination: destination)
}
