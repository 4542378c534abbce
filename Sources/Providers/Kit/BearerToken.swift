package import HTTP

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
    let words = header.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      self = .malformed
      return
    }
    self = .token(words[1])
  }
}
