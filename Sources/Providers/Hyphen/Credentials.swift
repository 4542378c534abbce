import ProviderKit

/// The tokens of a signed-in device.
struct Credentials {
  private let access: String
  private let refresh: String

  /// The refresh tokens that were not used yet, by number.
  fileprivate static let unusedTokens = RecordTable(
    "refresh token", of: HyphenProvider.name, decode: { try $0.string("key") },
    encode: { key, json in json.member("key", key) })

  /// How many refresh tokens of an account are kept; older ones count as used.
  private static let maxRefreshTokens = 1000

  /// New tokens. The key of the session is marked as used now.
  static func create(for session: Session, in context: RequestContext) throws -> Credentials {
    let (sandbox, settings, now) = (context.sandbox, context.settings, context.now)
    var key = session.key
    key.lastUsedAt = now
    try key.save(in: sandbox)
    let access = Token(
      .access, of: session.account.id, subject: key.publicKey, app: context.app,
      until: now + .seconds(settings.accessTokenSeconds), in: sandbox)
    let refresh = Token(
      .refresh, of: session.account.id, subject: key.publicKey, app: context.app,
      until: now + .seconds(86_400 * settings.refreshTokenDays), in: sandbox)
    try unusedTokens.add(
      key.publicKey, as: String(refresh.number), group: session.account.id, ordinal: refresh.number,
      keeping: maxRefreshTokens, in: sandbox)
    return Credentials(access: access.text(in: sandbox), refresh: refresh.text(in: sandbox))
  }

  /// Writes the member `credentials`.
  func write(to json: inout JSONWriter) {
    json.object("credentials") {
      $0.member("accessToken", access)
      $0.member("refreshToken", refresh)
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
  guard try Credentials.unusedTokens.find(String(token.number), in: context.sandbox) != nil else {
    throw APIError(.invalidToken).because("refreshToken: it was used before")
  }
  let session = try Session(of: token, in: context.sandbox)
  try Credentials.unusedTokens.delete(String(token.number), in: context.sandbox)
  let credentials = try Credentials.create(for: session, in: context)
  return .json(200) { credentials.write(to: &$0) }
}
