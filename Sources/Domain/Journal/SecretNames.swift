import JSON

/// The names of fields whose values are secret, in headers, queries, forms and JSON: those that most
/// protocols have, and those of a provider.
///
/// Letter case and punctuation do not matter: `client_secret`, `ClientSecret` and `Client-Secret` are one
/// name.
package struct SecretNames: Equatable, Sendable {
  private let own: Set<[UInt8]>
  /// For each byte, whether a secret name ends with it: most others are told by their last one.
  private let isLast: [Bool]

  /// Without those of a provider.
  package static let common = SecretNames([])

  package init(_ own: some Sequence<String>) {
    self.init(plain: Set(own.map { Self.plain(ArraySlice($0.utf8)) }))
  }

  private init(plain own: Set<[UInt8]>) {
    self.own = own
    let lastBytes = (own + Self.endings + Self.queryEndings + Self.headers).compactMap(\.last)
    isLast = (0...UInt8.max).map(lastBytes.contains)
  }

  package func union(_ other: SecretNames) -> SecretNames { SecretNames(plain: own.union(other.own)) }

  /// In bytes. Longer names are no names of secrets.
  package static let maxLength = 100

  /// A field whose name ends like this is a secret. `token` alone is missing: most tokens in bodies are of
  /// pushes.
  private static let endings = bytes(
    "secret", "password", "accesstoken", "refreshtoken", "idtoken", "authtoken", "sessiontoken", "apitoken",
    "clienttoken", "assertion", "apikey", "sdkkey", "privatekey", "authkey")

  /// In a JSON object or a form.
  package func contains(_ name: ArraySlice<UInt8>) -> Bool {
    contains(name) { plain in Self.endings.contains(where: plain.ends) }
  }

  package func contains(_ name: some StringProtocol) -> Bool { contains(ArraySlice(name.utf8)) }

  /// Of a header field.
  package func contains(header name: ArraySlice<UInt8>) -> Bool {
    contains(name) { plain in
      Self.endings.contains(where: plain.ends) || Self.headers.contains(plain) || plain.ends(with: Self.token)
    } && !Self.plain(name).has("idempotency")
  }

  private static let token = Array("token".utf8)
  private static let headers = bytes("authorization", "proxyauthorization", "cookie", "setcookie")

  /// In a query, where nothing else carries secrets by a common name.
  package func contains(query name: ArraySlice<UInt8>) -> Bool {
    contains(name) { plain in
      Self.queryEndings.contains(where: plain.ends) && !plain.has("page")
    }
  }

  private static let queryEndings = bytes(
    "token", "secret", "password", "key", "signature", "auth", "assertion")

  private func contains(_ name: ArraySlice<UInt8>, orElse isSecret: ([UInt8]) -> Bool) -> Bool {
    guard name.count <= Self.maxLength, mayBeSecret(name) else { return false }
    let plain = Self.plain(name)
    return own.contains(plain) || isSecret(plain)
  }

  private func mayBeSecret(_ name: ArraySlice<UInt8>) -> Bool {
    name.last { Self.letter($0) != nil }.flatMap(Self.letter).map { isLast[Int($0)] } ?? false
  }

  /// In lower case; nil for punctuation.
  private static func letter(_ byte: UInt8) -> UInt8? {
    byte.isLetter ? byte | 0x20 : byte.isDigit || byte >= 0x80 ? byte : nil
  }

  private static func plain(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(name.count)
    for byte in name { if let letter = letter(byte) { plain.append(letter) } }
    return plain
  }

  private static func bytes(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }
}

extension [UInt8] {
  fileprivate func ends(with ending: [UInt8]) -> Bool {
    // From the end, where most names differ.
    count >= ending.count && (1...ending.count).allSatisfy { self[count - $0] == ending[ending.count - $0] }
  }

  fileprivate func has(_ part: String) -> Bool { indices.contains { self[$0...].starts(with: part.utf8) } }
}

extension Sandbox {
  /// The names of a provider's secrets; those of all providers for a request that belongs to none.
  package func secretNames(of provider: String) -> SecretNames {
    shared.hooks.first { $0.name == provider }?.secretNames
      ?? shared.hooks.reduce(.common) { $0.union($1.secretNames) }
  }
}
