import Crypto
package import HTTP

/// User name and password of an `Authorization: Basic` field (RFC 7617).
package struct BasicAuthentication: Equatable, Sendable {
  /// What stands before the first colon.
  package let name: String
  /// What stands behind it.
  package let password: String

  /// Reads the field; nil where there is none, or none of this scheme, or it is broken.
  package init?(_ request: Request) {
    guard let field = request.headers["Authorization"], Self.isBasic(field),
      let decoded = Base64.decode(String(field.utf8.dropFirst(Self.scheme.utf8CodeUnitCount)) ?? ""),
      let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
      let name = String(validating: decoded[..<colon], as: UTF8.self),
      let password = String(validating: decoded[(colon + 1)...], as: UTF8.self)
    else { return nil }
    self.name = name
    self.password = password
  }

  private static let scheme: StaticString = "basic "

  private static func isBasic(_ field: String) -> Bool {
    var letters = field.utf8.makeIterator()
    for offset in 0..<scheme.utf8CodeUnitCount {
      guard let letter = letters.next(), letter | 0x20 == scheme.utf8Start[offset] else { return false }
    }
    return true
  }

  /// Whether the password is this secret, in time that does not tell where they differ.
  package func proves(_ secret: String) -> Bool {
    constantTimeEqual(Array(password.utf8), Array(secret.utf8))
  }
}
