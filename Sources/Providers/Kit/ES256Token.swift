import Crypto
package import JSON

/// A JSON Web Token signed with ECDSA on P-256 and SHA-256 (RFC 7515; `ES256` of RFC 7518).
package struct ES256Token {
  package let header: Fields
  /// Not verified yet; to parse after `isSigned`.
  private let claims: [UInt8]
  private let signed: Substring
  private let signature: [UInt8]

  /// Nil for a text that is not three parts in base64url, or whose header names another algorithm.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decodeFromURL(parts[0]),
      let fields = try? Fields(header), (try? fields.optionalString("alg")) == "ES256",
      let claims = Base64.decodeFromURL(parts[1]), let signature = Base64.decodeFromURL(parts[2])
    else { return nil }
    self.header = fields
    self.claims = claims
    self.signature = signature
    signed = text[..<parts[1].endIndex]
  }

  /// True if the key with this SubjectPublicKeyInfo in base64 signed the token.
  package func isSigned(byKey publicKey: String) -> Bool {
    guard let der = Base64.decode(publicKey), let key = P256PublicKey(der: der) else { return false }
    return key.accepts(rawSignature: signature, of: Array(signed.utf8))
  }

  /// The claims; nil if they are not a JSON object.
  package var payload: JSON? {
    guard let json = try? JSON(parsing: claims), case .object = json else { return nil }
    return json
  }

  /// Signs claims, a JSON object, with a private key in PEM; nil for a text that is not such a key.
  package static func sign(_ claims: [UInt8], header: [UInt8], withKey privateKey: String) -> String? {
    guard let key = P256PrivateKey(pem: privateKey) else { return nil }
    let signed = "\(Base64.encodeForURL(header)).\(Base64.encodeForURL(claims))"
    return "\(signed).\(Base64.encodeForURL(key.rawSignature(of: Array(signed.utf8))))"
  }
}
