import Domain
import JSON
import ProviderKit

/// The public keys of a client: one in PEM, or a JWK Set (RFC 7517). Source: contract 3.2.
enum ClientKeys: Equatable, Sendable {
  case pem(String)
  case set(JSON)

  /// Nil if one of them is not an RSA key of at least 2048 bits or a key of P-256.
  init?(_ json: JSON) {
    switch json {
    case .string(let text): self = .pem(text)
    case .object: self = .set(json)
    default: return nil
    }
    guard !read({ PublicKey(pem: $0) }).isEmpty else { return nil }
  }

  func keys(in sandbox: Sandbox) -> [PublicKey] { read(sandbox.publicKey(pem:)) }

  /// None if one of them cannot be read.
  private func read(_ key: (_ pem: String) -> PublicKey?) -> [PublicKey] {
    switch self {
    case .pem(let text): return key(text).map { [$0] } ?? []
    case .set(let set):
      guard let fields = try? Fields(set), let list = try? fields.objects("keys", atMost: Self.limit) else {
        return []
      }
      let keys = list.compactMap { PublicKey($0) }
      return keys.count == list.count ? keys : []
    }
  }

  fileprivate var json: JSON {
    switch self {
    case .pem(let text): .string(text)
    case .set(let set): set
    }
  }

  private static let limit = 20
}

extension FieldType where Value == ClientKeys {
  static var clientKeys: FieldType {
    FieldType(
      .anyOf([.map(.any), .string()]),
      expected: "a public key in PEM, or a JWK Set, of RSA keys with at least 2048 bits or keys of P-256",
      decode: { ClientKeys($0) }, write: { $1.value($0.json) })
  }
}
