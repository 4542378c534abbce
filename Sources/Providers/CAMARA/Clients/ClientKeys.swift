import Crypto
import JSON

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
    guard !keys.isEmpty else { return nil }
  }

  /// None if one of them cannot be read.
  var keys: [PublicKey] {
    switch self {
    case .pem(let text): return PublicKey(pem: text).map { [$0] } ?? []
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

/// A public key that verifies tokens, with its id in a set.
struct PublicKey {
  private enum Kind {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)
  }

  let id: String?
  private let kind: Kind

  init?(pem: String) {
    id = nil
    if let key = RSAPublicKey(pem: pem) {
      kind = .rsa(key)
    } else if let key = P256PublicKey(pem: pem) {
      kind = .p256(key)
    } else {
      return nil
    }
  }

  /// A JSON Web Key.
  fileprivate init?(_ key: Fields) {
    func bytes(_ name: String) -> [UInt8]? { (try? key.string(name)).flatMap { Base64.decodeFromURL($0) } }
    id = try? key.optionalString("kid")
    switch try? key.string("kty") {
    case "RSA":
      guard let modulus = bytes("n"), let exponent = bytes("e"),
        let key = RSAPublicKey(modulus: modulus, exponent: exponent)
      else { return nil }
      kind = .rsa(key)
    case "EC":
      guard (try? key.string("crv")) == "P-256", let x = bytes("x"), let y = bytes("y"),
        let key = P256PublicKey(x: x, y: y)
      else { return nil }
      kind = .p256(key)
    default: return nil
    }
  }

  func accepts(_ signature: [UInt8], by algorithm: ClientToken.Algorithm, of message: [UInt8]) -> Bool {
    switch (kind, algorithm) {
    case (.rsa(let key), .rs256): key.accepts(pkcs1Signature: signature, of: message)
    case (.rsa(let key), .ps256): key.accepts(pssSignature: signature, of: message)
    case (.p256(let key), .es256): key.accepts(rawSignature: signature, of: message)
    default: false
    }
  }
}

extension FieldType where Value == ClientKeys {
  static var clientKeys: FieldType {
    FieldType(
      .anyOf([.map(.any), .string()]),
      expected: "a public key in PEM, or a JWK Set, of RSA keys with at least 2048 bits or keys of P-256",
      decode: { ClientKeys($0) }, write: { $1.value($0.json) })
  }
}
