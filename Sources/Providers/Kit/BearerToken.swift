package import HTTP

/// The token of an `Authorization: Bearer` field (RFC 6750).
package enum BearerToken: Equatable, Sendable {
  /// There is no such field.
  case absent
  /// Another scheme, or nothing behind the scheme.
  case malformed
  /// What stands behind the scheme.
  case token(String)

  /// Reads the field; the scheme's name is compared without case.
  package init(_ headers: Headers) {
    guard let field = headers["Authorization"] else {
      self = .absent
      return
    }
    let words = field.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      self = .malformed
      return
    }
    self = .token(String(words[1]))
  }
}
