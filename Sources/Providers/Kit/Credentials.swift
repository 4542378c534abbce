import Crypto
package import HTTP

/// User name and password of an `Authorization: Basic` field (RFC 7617).
package struct BasicAuthentication: Equatable, Sendable {
  /// What stands before the first colon.
  package let name: String
  /// What stands behind it.
  package let password: String

  /// Reads the field; nil where there is none, or none of this scheme, or it is broken.
  package init?(_ headers: Headers) {
    guard let field = headers.bytes(of: "Authorization"), Self.isBasic(field),
      let decoded = Base64.decode(field.dropFirst(Self.scheme.utf8CodeUnitCount)),
      let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
      let name = String(utf8: decoded[..<colon]), let password = String(utf8: decoded[(colon + 1)...])
    else { return nil }
    self.name = name
    self.password = password
  }

  private static let scheme: StaticString = "basic "

  private static func isBasic(_ field: ArraySlice<UInt8>) -> Bool {
    let wanted = UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
    return field.prefix(wanted.count).elementsEqual(wanted) { $0 | 0x20 == $1 }
  }

  /// Whether the password is this secret, in time that does not tell where they differ.
  package func proves(_ secret: String) -> Bool {
    constantTimeEqual(password, secret)
  }
}
