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
    return "\(signed).\(signature(of: signed, key: key))"
  }

  /// The claims of a token with a valid signature; nil for any other text. Its times are not checked.
  package static func claims(of text: String, key: String) -> Fields? {
    guard let parts = split(text),
      constantTimeEqual(signature(of: "\(parts.header).\(parts.claims)", key: key), String(parts.signature))
    else { return nil }
    return fields(of: parts.claims)
  }

  /// The claims of a token from any sandbox; nil for text of another form.
  package static func unverifiedClaims(of text: String) -> Fields? {
    split(text).flatMap { fields(of: $0.claims) }
  }

  private static func split(
    _ text: String
  ) -> (header: Substring, claims: Substring, signature: Substring)? {
    guard text.utf8.count <= maxSize else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == header else { return nil }
    return (parts[0], parts[1], parts[2])
  }

  private static func fields(of claims: Substring) -> Fields? {
    Base64.decodeFromURL(claims).flatMap { try? Fields($0) }
  }

  private static func signature(of text: some StringProtocol, key: String) -> String {
    Base64.encodeForURL(HMAC.authenticate(Array(text.utf8), key: Array(key.utf8)))
  }
}

/// Times in claims: seconds since 1970.
extension Timestamp {
  package init(unixSeconds seconds: Int) { self = Timestamp(milliseconds: 0) + .seconds(seconds) }

  package var unixSeconds: Int { (self - Timestamp(milliseconds: 0)).wholeSeconds }
}
