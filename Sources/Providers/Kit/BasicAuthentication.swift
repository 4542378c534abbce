import Crypto

/// User name and password of an `Authorization: Basic` header (RFC 7617).
package struct BasicAuthentication: Equatable, Sendable {
  package let name: String
  package let password: String

  package init(name: String, password: String) { (self.name, self.password) = (name, password) }

  /// Nil if the header is missing, malformed, or of another scheme.
  package init?(_ headers: Headers) {
    guard let header = headers.bytes(of: "Authorization"), Self.isBasic(header),
      let decoded = Base64.decode(header.dropFirst(Self.scheme.utf8CodeUnitCount)),
      let colon = decoded.firstIndex(of: UInt8(ascii: ":")),
      let name = String(utf8: decoded[..<colon]), let password = String(utf8: decoded[(colon + 1)...])
    else { return nil }
    self.name = name
    self.password = password
  }

  private static let scheme: StaticString = "basic "

  private static func isBasic(_ header: ArraySlice<UInt8>) -> Bool {
    let expected = UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
    return header.prefix(expected.count).elementsEqual(expected) { $0 | 0x20 == $1 }
  }

  /// The value of the header.
  package var field: String { "Basic \(Base64.encode(Array("\(name):\(password)".utf8)))" }

  /// Compares the password in constant time.
  package func hasPassword(_ secret: String) -> Bool {
    constantTimeEqual(password, secret)
  }
}
