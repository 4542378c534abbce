import ProviderKit

/// A token of a device. Its text holds all of it; only refresh tokens are stored, because they can be used
/// once. Source: contract 1.
struct Token: Equatable {
  enum Kind: String {
    case access
    case refresh
    case ephemeral
  }

  let kind: Kind
  let account: String
  /// The public key that signed in; for an ephemeral token, the id of the request for approval.
  let subject: String
  let app: String
  /// Distinguishes the tokens of one device.
  let number: Int
  let expiresAt: Timestamp

  init(
    _ kind: Kind, of account: String, subject: String, app: App, until end: Timestamp, in sandbox: Sandbox
  ) {
    self.kind = kind
    self.account = account
    self.subject = subject
    self.app = app.id
    number = sandbox.nextOrdinal()
    expiresAt = end
  }

  /// Reads a token of this sandbox and app; fails with 401 for any other text, and for one that has expired.
  init(_ text: String, for app: App, in sandbox: Sandbox) throws {
    guard let claims = JSONWebToken.claims(of: text, key: Self.key(in: sandbox)),
      let kind = try Kind(rawValue: claims.string("kind"))
    else { throw APIError(.invalidToken).because("not a token of sandbox \(sandbox.name)") }
    self.kind = kind
    account = try claims.string("sub")
    subject = try claims.string("for")
    self.app = try claims.string("app")
    number = try claims.int("jti")
    expiresAt = Timestamp(milliseconds: Int64(try claims.int("end")))
    guard self.app == app.id else {
      throw APIError(.invalidToken).because("a token of app \(self.app), not of \(app.id)")
    }
    // That of an ephemeral token moves with its request, which checks it.
    guard kind == .ephemeral || sandbox.clock.now < expiresAt else {
      throw APIError(.tokenExpired).because("the \(kind.rawValue) token expired at \(expiresAt.iso8601)")
    }
  }

  func text(in sandbox: Sandbox) -> String {
    let claims = JSONWriter.object { json in
      json.member("kind", kind.rawValue)
      json.member("sub", account)
      json.member("for", subject)
      json.member("app", app)
      json.member("jti", number)
      json.member("end", Int(expiresAt.milliseconds))
    }
    return JSONWebToken.sign(claims, key: Self.key(in: sandbox))
  }

  private static func key(in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("hyphen token", 0)
  }
}
