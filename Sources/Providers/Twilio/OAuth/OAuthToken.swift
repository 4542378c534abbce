import Crypto
import ProviderKit

/// `POST /v2/token` of `oauth.twilio.com`. Source: contract 20.
func createToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let form = try request.form
  form.declare([
    "grant_type", "client_id", "client_secret", "code", "redirect_uri", "audience", "refresh_token", "scope",
    "code_verifier",
  ])
  guard form.text("grant_type") == "client_credentials" else {
    throw APIError.invalidParameter("grant_type", expected: "client_credentials; no other grant is emulated")
  }
  guard let client = form.text("client_id"), SidKind.oauthClient.matches(client) else {
    throw APIError.invalidParameter("client_id", expected: "OQ and 32 hex digits")
  }
  guard let secret = form.text("client_secret") else {
    throw APIError.invalidParameter("client_secret", expected: "the secret of the client")
  }
  try authenticate(client, secret: secret, in: sandbox)
  let seconds = try Settings.current(in: sandbox).oauthTokenSeconds
  let token = OAuthToken(for: client, lifetime: .seconds(seconds), in: sandbox)
  return .json(200) { json in
    json.member("access_token", token.text(in: sandbox))
    json.member("token_type", "Bearer")
    json.member("expires_in", seconds)
    // Other grants have them.
    json.null("refresh_token")
    json.null("id_token")
  }
}

/// An open sandbox accepts unknown clients with any secret.
private func authenticate(_ client: String, secret: String, in sandbox: Sandbox) throws {
  guard let known = try sandbox.accounts.find(client, of: TwilioProvider.name) else {
    guard sandbox.acceptsUnknownAccounts else {
      throw APIError.unauthenticated.because("no OAuth client \(client) in sandbox \(sandbox.name)")
    }
    return
  }
  guard constantTimeEqual(known.secret, secret) else {
    throw APIError.unauthenticated.because("wrong secret of OAuth client \(client)")
  }
}

/// The token of `Authorization: Bearer`. Its text holds client and times, so tokens are not stored.
struct OAuthToken {
  let client: String
  let issuedAt: Timestamp
  let expiresAt: Timestamp

  static let path = "/v2/token"

  init(for client: String, lifetime: Duration, in sandbox: Sandbox) {
    self.client = client
    issuedAt = sandbox.clock.now
    expiresAt = issuedAt + lifetime
  }

  /// The token of a request. Fails with 20003 for expired tokens, tokens of other sandboxes, and any other
  /// header.
  init(of request: Request, in sandbox: Sandbox) throws(APIError) {
    guard case .token(let text) = BearerToken(request.headers) else {
      throw .unauthenticated.because("no HTTP Basic credentials")
    }
    guard let claims = JSONWebToken.claims(of: text, key: Self.key(in: sandbox)),
      let client = try? claims.string("sub"), let issuedAt = try? claims.int("iat"),
      let expiresAt = try? claims.int("exp")
    else { throw .unauthenticated.because("not an access token of sandbox \(sandbox.name)") }
    self.client = client
    self.issuedAt = Timestamp(unixSeconds: issuedAt)
    self.expiresAt = Timestamp(unixSeconds: expiresAt)
    guard self.expiresAt > sandbox.clock.now else {
      throw .unauthenticated.because("the access token expired at \(self.expiresAt.iso8601)")
    }
  }

  /// The account of the token's client. An open sandbox accepts clients that it does not know.
  func caller(in sandbox: Sandbox) throws -> Caller {
    if let known = try sandbox.accounts.find(client, of: TwilioProvider.name) {
      return Caller(account: known.account, isUnknown: false)
    }
    guard sandbox.acceptsUnknownAccounts else {
      throw APIError.unauthenticated.because("no OAuth client \(client) in sandbox \(sandbox.name)")
    }
    return Caller(account: try Authentication.defaultAccount(of: sandbox), isUnknown: true)
  }

  func text(in sandbox: Sandbox) -> String {
    let claims = JSONWriter.object { json in
      json.member("sub", client)
      json.member("iat", issuedAt.unixSeconds)
      json.member("exp", expiresAt.unixSeconds)
    }
    return JSONWebToken.sign(claims, key: Self.key(in: sandbox))
  }

  /// The client that a request's token names; nil without a token.
  static func unverifiedClient(of request: Request) -> String? {
    guard case .token(let text) = BearerToken(request.headers) else { return nil }
    return JSONWebToken.unverifiedClaims(of: text).flatMap { try? $0.string("sub") }
  }

  private static func key(in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("twilio access token", 0)
  }
}
