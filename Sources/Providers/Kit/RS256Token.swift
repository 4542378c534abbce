import Crypto
package import Domain
package import JSON

/// A JSON Web Token signed with RSA and SHA-256 (RFC 7515; `RS256` of RFC 7518).
package struct RS256Token {
  package let header: Fields
  /// Not verified: look at `isSigned`.
  package let claims: Fields
  private let signed: [UInt8]
  private let signature: [UInt8]

  private static let maxSize = 16 << 10
  /// Seconds since 1970: some ten thousand years.
  private static let plausibleTimes = 0...1 << 38

  /// Nil for a text that is not three parts in base64url, or whose header names another algorithm.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.maxSize, parts.count == 3, let header = Base64.decodeFromURL(parts[0]),
      let fields = try? Fields(header), (try? fields.optionalString("alg")) == "RS256",
      let claims = Base64.decodeFromURL(parts[1]).flatMap({ try? Fields($0) }),
      let signature = Base64.decodeFromURL(parts[2])
    else { return nil }
    self.header = fields
    self.claims = claims
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// `key` is a public key in PEM.
  package func isSigned(by key: String) -> Bool {
    RSAPublicKey(pem: key)?.accepts(pkcs1Signature: signature, of: signed) ?? false
  }

  /// A time in the claims, such as `exp`; nil if it is missing, or no time.
  package func time(_ name: String) -> Timestamp? {
    guard let seconds = try? claims.optionalInt(name), Self.plausibleTimes.contains(seconds) else {
      return nil
    }
    return Timestamp(unixSeconds: seconds)
  }
}
