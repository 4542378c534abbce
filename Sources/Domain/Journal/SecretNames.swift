/// The names of fields whose values are secret, in headers, queries, forms and JSON: those that most
/// protocols have, and those of a provider.
///
/// Letter case and punctuation do not matter: `client_secret`, `ClientSecret` and `Client-Secret` are one
/// name.
package struct SecretNames: Equatable, Sendable {
  private let own: Set<String>

  /// Without those of a provider.
  package static let common = SecretNames([])

  package init(_ own: some Sequence<String>) { self.own = Set(own.map(Self.plain)) }

  package func union(_ other: SecretNames) -> SecretNames { SecretNames(own.union(other.own)) }

  /// Longer names are no names of secrets.
  package static let maxLength = 100

  /// A field whose name ends like this is a secret. `token` alone is missing: most tokens in bodies are of
  /// pushes.
  private static let endings = [
    "secret", "password", "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "apitoken",
    "clienttoken", "assertion", "apikey", "sdkkey", "privatekey", "authkey",
  ]

  /// In a JSON object or a form.
  package func contains(_ name: some StringProtocol) -> Bool {
    guard name.utf8.count <= Self.maxLength else { return false }
    let plain = Self.plain(name)
    return own.contains(plain) || Self.endings.contains { plain.hasSuffix($0) }
  }

  /// Of a header field.
  package func contains(header name: some StringProtocol) -> Bool {
    let plain = Self.plain(name)
    if plain.contains("idempotency") { return false }
    return contains(name) || Self.headers.contains(plain) || plain.hasSuffix("token")
  }

  private static let headers: Set = ["authorization", "proxyauthorization", "cookie", "setcookie"]

  /// In a query, where nothing else carries secrets by a common name.
  package func contains(query name: some StringProtocol) -> Bool {
    guard name.utf8.count <= Self.maxLength else { return false }
    let plain = Self.plain(name)
    return own.contains(plain)
      || !plain.contains("page") && Self.queryEndings.contains { plain.hasSuffix($0) }
  }

  private static let queryEndings = ["token", "secret", "password", "key", "signature", "auth", "assertion"]

  private static func plain(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension Sandbox {
  /// The names of a provider's secrets; those of all providers for a request that belongs to none.
  package func secretNames(of provider: String) -> SecretNames {
    shared.hooks.first { $0.name == provider }?.secretNames
      ?? shared.hooks.reduce(.common) { $0.union($1.secretNames) }
  }
}
