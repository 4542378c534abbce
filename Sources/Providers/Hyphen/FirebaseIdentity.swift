import ProviderKit

/// A user whom Firebase has authenticated. Nobody asks Google. Source: contract 6.
struct FirebaseIdentity: Equatable {
  /// In lower case.
  let email: String

  /// Reads `method` and `token`.
  init(_ fields: Fields, in sandbox: Sandbox) throws {
    _ = try fields.value("method", Self.method)
    try self.init(token: fields.value("token", Self.token), in: sandbox)
  }

  /// A text `sbx-user:<email>`, or an ID token that is unsigned, as those of the Firebase emulator, or signed
  /// with the sandbox's key of service accounts.
  private init(token: String, in sandbox: Sandbox) throws {
    let email: String
    if token.hasPrefix(Self.prefix) {
      email = String(token.dropFirst(Self.prefix.count))
    } else {
      email = try Self.email(inIDToken: token, in: sandbox)
    }
    guard EmailAddress.isValid(email) else { throw Self.refused("expected an email address") }
    self.email = email.lowercased()
  }

  static let prefix = "sbx-user:"
  private static let method = FieldType.oneOf(["firebase"])
  private static let token = FieldType.string(1...8192)

  private static func email(inIDToken text: String, in sandbox: Sandbox) throws -> String {
    guard let token = JSONWebToken(text, by: [.unsigned, .rs256]), let claims = try? token.claims else {
      throw refused("expected sbx-user: and an email address, or an ID token with alg none or RS256")
    }
    let key = try sandbox.keys[.accounts]?.publicPEM
    guard token.algorithm == .unsigned || token.isSigned(by: key.flatMap(sandbox.publicKey(pem:))) else {
      throw refused("expected a signature by the sandbox's key of service accounts")
    }
    let end: Timestamp
    do { end = try claims.unixTime("exp") } catch { throw refused("\(error)") }
    guard sandbox.clock.now < end else { throw refused("it expired at \(end.iso8601)") }
    guard (try? claims.string("aud")) != nil else { throw refused("aud: expected the Firebase project") }
    guard (try? claims.optionalString("sub") ?? claims.string("user_id")) != nil else {
      throw refused("sub: expected the user's id")
    }
    guard let email = try? claims.string("email") else { throw refused("email: missing") }
    return email
  }

  private static func refused(_ why: String) -> APIError {
    APIError(.invalidFirebaseToken).because("token: \(why)")
  }
}
