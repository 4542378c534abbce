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
    guard let header = headers["Authorization"] else {
      self = .absent
      return
    }
    let words = header.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      self = .malformed
      return
    }
    self = .token(String(words[1]))
  }
}
