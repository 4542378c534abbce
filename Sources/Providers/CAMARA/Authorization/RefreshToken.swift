import Domain
import HTTP
import JSON
import ProviderKit

/// What a client exchanges for the next access token. Each is valid once. Source: contract 3.7.
struct RefreshToken: Equatable, Sendable {
  var id = ""
  var clientID = ""
  var authorization = ""

  private static let schema = Schema<RefreshToken>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .required("authorization", \.authorization, .string),
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

  func spend(in sandbox: Sandbox) throws { try Self.table.delete(id, in: sandbox) }
}

/// `grant_type=refresh_token`
func refreshTokens(_ context: OAuthContext) throws -> Response {
  let (client, isLenient) = try authenticateClient(context)
  try client.require(.refreshToken)
  let sandbox = context.sandbox
  func refuse(_ why: String) -> OAuthError {
    OAuthError(.invalidGrant, "The refresh token is not valid.").because(why)
  }
  guard let token = try RefreshToken.find(context.required("refresh_token"), in: sandbox),
    token.clientID == client.id,
    let authorization = try Authorization.find(token.authorization, in: sandbox)
  else { throw refuse("no such refresh token of client \(client.id), or it was used before") }
  guard !authorization.isRevoked else { throw refuse("it was revoked") }
  guard authorization.scope.names.allSatisfy({ client.scopes?.contains($0) ?? true }) else {
    throw refuse("the client may no longer ask for its scopes")
  }
  guard try authorization.hasConsent(in: sandbox) else { throw refuse("the consent was withdrawn") }
  try token.spend(in: sandbox)
  return try tokenResponse(for: authorization, context, isLenient: isLenient, withIDToken: false)
}
