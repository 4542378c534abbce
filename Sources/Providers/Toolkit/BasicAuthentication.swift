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
    guard let field = request.headers["Authorization"], field.prefix(6).lowercased() == "basic " else {
      return nil
    }
    guard let decoded = Base64.decode(String(field.dropFirst(6))),
      let text = String(validating: decoded, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    name = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }

  /// Whether the password is this secret, in time that does not tell where they differ.
  package func proves(_ secret: String) -> Bool {
    constantTimeEqual(Array(password.utf8), Array(secret.utf8))
  }
}
