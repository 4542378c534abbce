import Crypto

/// A public key that verifies tokens: of RSA with at least 2048 bits, or of the curve P-256.
package struct PublicKey {
  private enum Kind {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)
  }

  /// Its id in a JWK Set.
  package private(set) var id: String?
  private let kind: Kind

  /// SubjectPublicKeyInfo in PEM. Nil for other texts and other kinds of key.
  package init?(pem: String) {
    if let key = RSAPublicKey(pem: pem) {
      kind = .rsa(key)
    } else if let key = P256PublicKey(pem: pem) {
      kind = .p256(key)
    } else {
      return nil
    }
  }

  /// The SubjectPublicKeyInfo of a key of P-256, in base64.
  package init?(base64 text: String) {
    guard let key = Base64.decode(text).flatMap({ P256PublicKey(der: $0) }) else { return nil }
    kind = .p256(key)
  }

  /// A JSON Web Key (RFC 7517).
  package init?(_ key: Fields) {
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

  func accepts(_ signature: [UInt8], by algorithm: JSONWebToken.Algorithm, of message: [UInt8]) -> Bool {
    switch (kind, algorithm) {
    case (.rsa(let key), .rs256): key.accepts(pkcs1Signature: signature, of: message)
    case (.rsa(let key), .ps256): key.accepts(pssSignature: signature, of: message)
    case (.p256(let key), .es256): key.accepts(rawSignature: signature, of: message)
    default: false
    }
  }
}

extension Sandbox {
  /// A public key from its PEM text, which clients use again and again.
  package func publicKey(pem text: String) -> PublicKey? {
    parsedKeys.key(in: text) { PublicKey(pem: $0) }
  }
}
