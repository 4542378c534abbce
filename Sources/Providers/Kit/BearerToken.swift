/// The token of an `Authorization: Bearer` header (RFC 6750).
package enum BearerToken: Equatable, Sendable {
  /// No such header.
  case absent
  /// Another scheme, or not exactly one token.
  case malformed
  case token(String)

  /// The scheme is compared without case.
  package init(_ headers: Headers) {
    guard let header = headers.bytes(of: "Authorization") else {
      self = .absent
      return
    }
    // Bytes, because splitting text into characters costs 200 instructions for each.
    let space = UInt8(ascii: " ")
    let scheme = header.prefix { $0 != space }
    let token = header.dropFirst(scheme.count).drop { $0 == space }
    guard scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }), !token.isEmpty, !token.contains(space)
    else {
      self = .malformed
      return
    }
    self = .token(String(decoding: token, as: UTF8.self))
  }
}
