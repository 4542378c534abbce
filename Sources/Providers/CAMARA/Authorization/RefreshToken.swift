import ProviderKit

/// What a client exchanges for the next access token. Each is valid once. Source: contract 3.7.
struct RefreshToken: Equatable, Sendable {
  var id = ""
  var clientID = ""
  var authorization = ""
  /// Used ones are kept, because their reuse is a sign of theft (RFC 9700, 4.14.2).
  var isUsed = false

  private static let schema = Schema<RefreshToken>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .required("authorization", \.authorization, .string),
    .field("used", \.isUsed, .boolean, default: false),
  ])

  private static let table = RecordTable("refresh token", of: CAMARAProvider.name, schema) {
    RefreshToken()
  }

  /// Older ones are deleted.
  private static let limitPerClient = 10_000

  var text: String { TokenText.text(of: id, for: clientID) }

  static func issue(for authorization: Authorization, in sandbox: Sandbox) throws -> RefreshToken {
    let ordinal = sandbox.nextOrdinal()
    let token = RefreshToken(
      id: sandbox.tokenEntropy.identifier("refresh token", ordinal), clientID: authorization.clientID,
      authorization: authorization.id)
    try table.add(
      token, as: token.id, group: token.clientID, ordinal: ordinal, keeping: limitPerClient, in: sandbox)
    return token
  }

  static func find(_ text: String, in sandbox: Sandbox) throws -> RefreshToken? {
    guard let id = TokenText.id(in: text), let token = try table.find(id, in: sandbox), token.text == text
    else { return nil }
    return token
  }

  mutating func spend(in sandbox: Sandbox) throws {
    isUsed = true
    try Self.table.save(self, as: id, in: sandbox)
  }

  /// `grant_type=refresh_token`: tokens with the granted scope, or with a part of it (RFC 6749, 6).
  static func exchange(_ context: OAuthContext) throws -> Response {
    let (client, signIn) = try SignIn.client(of: context, for: .refreshToken)
    let sandbox = context.sandbox
    func refuse(_ why: String) -> OAuthError {
      OAuthError(.invalidGrant, "The refresh token is not valid.").because(why)
    }
    guard var token = try find(context.required("refresh_token"), in: sandbox),
      token.clientID == client.id,
      var authorization = try Authorization.find(token.authorization, in: sandbox)
    else { throw refuse("no such refresh token of client \(client.id)") }
    guard !authorization.isRevoked else { throw refuse("it was revoked") }
    guard !token.isUsed else {
      try authorization.revoke(in: sandbox)
      throw refuse("it was used before; now all tokens of its authorization are void")
    }
    guard authorization.scope.names.allSatisfy({ client.scopes?.contains($0) ?? true }) else {
      throw refuse("the client may no longer ask for its scopes")
    }
    guard try authorization.hasConsent(in: sandbox) else { throw refuse("the consent was withdrawn") }
    let scope = try context.parameter("scope").map { text in
      try authorization.scope.narrowed(
        to: Scope(text, of: client, context.settings, isLenient: signIn.isLenient))
    }
    let response = try TokenResponse.issue(
      for: authorization, scope: scope, context, isLenient: signIn.isLenient, withIDToken: false)
    try token.spend(in: sandbox)
    return response
  }
}
