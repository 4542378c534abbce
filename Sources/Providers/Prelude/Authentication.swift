import Domain
package import HTTP
import ProviderKit

/// The two kinds of keys of an account, by their names in seeds and in the control API. Source: contract 1.2.
enum APIKeyKind: String, CaseIterable {
  /// For servers: `Authorization: Bearer sk_…`.
  case apiToken
  /// For apps: `X-SDK-Key: sdk_…`.
  case sdkKey

  var prefix: String { self == .apiToken ? "sk_" : "sdk_" }
}

extension PreludeProvider {
  package static func credential(in request: Request) -> String? {
    if case .token(let token) = BearerToken(request.headers) { return token }
    return request.headers["X-SDK-Key"]
  }
}

/// Requires the key of a server. A sandbox has one account. Source: contract 1.2 and 11.2.
func authenticate(_ request: Request, in sandbox: Sandbox) throws {
  switch BearerToken(request.headers) {
  case .absent: throw APIError(.missingAPIKey)
  case .malformed: throw APIError(.invalidBearerToken)
  case .token(let token):
    guard try isAccepted(token, as: .apiToken, in: sandbox) else {
      throw APIError(.invalidAPIKey).because("no such API key in sandbox \(sandbox.name)")
    }
  }
}

/// True for a known key of this kind, and for unknown keys if the sandbox allows unknown accounts.
func isAccepted(_ key: String, as kind: APIKeyKind, in sandbox: Sandbox) throws -> Bool {
  guard let known = try sandbox.accounts.find(key, of: PreludeProvider.name) else {
    return sandbox.acceptsUnknownAccounts
  }
  return known.account == kind.rawValue
}

/// The account's claim on a destination: at most one of its verifications is pending. Source: contract 4.2.
func claim(on destination: String) -> Claim {
  Claim(provider: PreludeProvider.name, owner: "account", destination: destination)
}
