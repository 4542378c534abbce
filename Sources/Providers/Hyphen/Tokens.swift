import Domain
import HTTP
import JSON
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
    // That of an ephemeral token moves with its request; `twoFactorAuth` checks it.
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
    // Identifiers, unlike secrets, stay the same when the random seed is changed.
    sandbox.tokenEntropy.identifier("hyphen token", 0)
  }
}

/// The refresh tokens that were not used yet, by number.
private let unusedRefreshTokens = RecordTable(
  "refresh token", of: HyphenProvider.name, decode: { try $0.string("key") },
  encode: { key, json in json.member("key", key) })

/// How many of an account are kept; older ones count as used.
private let maxRefreshTokens = 1000

extension RequestContext {
  /// Writes new tokens of a signed-in device as the member `credentials`, and notes that its key was used.
  func signIn(_ session: Session) throws -> (inout JSONWriter) -> Void {
    var key = session.key
    key.lastUsedAt = now
    try key.save(in: sandbox)
    let access = Token(
      .access, of: session.account.id, subject: key.publicKey, app: app,
      until: now + .seconds(settings.accessTokenSeconds), in: sandbox)
    let refresh = Token(
      .refresh, of: session.account.id, subject: key.publicKey, app: app,
      until: now + .seconds(86_400 * settings.refreshTokenDays), in: sandbox)
    try unusedRefreshTokens.makeRoom(in: session.account.id, maximum: maxRefreshTokens, in: sandbox)
    try unusedRefreshTokens.save(
      key.publicKey, as: String(refresh.number), group: session.account.id, ordinal: refresh.number,
      in: sandbox)
    let texts = (access.text(in: sandbox), refresh.text(in: sandbox))
    return { json in
      json.object("credentials") {
        $0.member("accessToken", texts.0)
        $0.member("refreshToken", texts.1)
      }
    }
  }
}

/// `POST /auth/v1/refresh`
func refreshCredentials(_ context: RequestContext) throws -> Response {
  let text = try context.body.string("refreshToken")
  let token = try Token(text, for: context.app, in: context.sandbox)
  guard token.kind == .refresh else {
    throw APIError(.invalidToken).because("refreshToken: a token of another kind, \(token.kind.rawValue)")
  }
  guard try unusedRefreshTokens.find(String(token.number), in: context.sandbox) != nil else {
    throw APIError(.invalidToken).because("refreshToken: it was used before")
  }
  let session = try context.session(of: token)
  try unusedRefreshTokens.delete(String(token.number), in: context.sandbox)
  let credentials = try context.signIn(session)
  return context.response { credentials(&$0) }
}
