package import ProviderKit

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

enum Authentication {
  /// Requires the key of a server. A sandbox has one account. Source: contract 1.2 and 11.2.
  static func require(_ request: Request, in sandbox: Sandbox) throws {
    switch BearerToken(request.headers) {
    case .absent: throw APIError(.missingAPIKey)
    case .malformed: throw APIError(.invalidBearerToken)
    case .token(let token):
      guard try accepts(token, as: .apiToken, in: sandbox) else {
        throw APIError(.invalidAPIKey).because("no such API key in sandbox \(sandbox.name)")
      }
    }
  }

  /// True for a known key of this kind, and for unknown keys if the sandbox allows unknown accounts.
  static func accepts(_ key: String, as kind: APIKeyKind, in sandbox: Sandbox) throws -> Bool {
    guard let known = try sandbox.accounts.find(key, of: PreludeProvider.name) else {
      return sandbox.acceptsUnknownAccounts
    }
    return known.account == kind.rawValue
  }
}
