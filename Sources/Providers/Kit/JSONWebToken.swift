import Crypto
package import Domain
package import JSON

/// A JSON Web Token signed with HMAC-SHA256 (RFC 7519; `HS256` of RFC 7518).
package enum JSONWebToken {
  /// Longer texts are not tokens of the sandbox.
  private static let maxSize = 4 << 10
  private static let header = Base64.encodeForURL(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

  /// `claims` is a JSON object.
  package static func sign(_ claims: [UInt8], key: String) -> String {
    let signed = "\(header).\(Base64.encodeForURL(claims))"
    return "\(signed).\(signature(of: Array(signed.utf8), key: key))"
  }

  /// The claims of a token with a valid signature; nil for any other text. Its times are not checked.
  package static func claims(of text: String, key: String) -> Fields? {
    guard let parts = split(text),
      constantTimeEqual(
        signature(of: Array(parts.signed), key: key), String(decoding: parts.signature, as: UTF8.self))
    else { return nil }
    return fields(of: parts.claims)
  }

  /// The claims of a token from any sandbox; nil for text of another form.
  package static func unverifiedClaims(of text: String) -> Fields? {
    split(text).flatMap { fields(of: $0.claims) }
  }

  /// What is signed, the claims in it, and the signature.
  private static func split(
    _ text: String
  ) -> (signed: ArraySlice<UInt8>, claims: ArraySlice<UInt8>, signature: ArraySlice<UInt8>)? {
    guard text.utf8.count <= maxSize else { return nil }
    let bytes = Array(text.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(header.utf8) else { return nil }
    return (bytes[..<parts[1].endIndex], parts[1], parts[2])
  }

  private static func fields(of claims: ArraySlice<UInt8>) -> Fields? {
    Base64.decodeFromURL(claims).flatMap { try? Fields($0) }
  }

  private static func signature(of bytes: [UInt8], key: String) -> String {
    Base64.encodeForURL(HMAC.authenticate(bytes, key: Array(key.utf8)))
  }
}

/// Times in claims: seconds since 1970.
extension Timestamp {
  package init(unixSeconds seconds: Int) { self = Timestamp(milliseconds: 0) + .seconds(seconds) }

  package var unixSeconds: Int { (self - Timestamp(milliseconds: 0)).wholeSeconds }
}
