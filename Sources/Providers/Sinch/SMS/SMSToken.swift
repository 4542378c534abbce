import Crypto
import ProviderKit

/// `POST /oauth2/token` of `auth.sinch.com`. Source: `senders.md` 7.
func createSMSToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let form = try request.form
  form.declare(["scope", "client_id", "client_secret"])
  guard let grant = form.text("grant_type") else {
    throw OAuthError(.invalidRequest).because("grant_type: missing")
  }
  guard grant == "client_credentials" else {
    throw OAuthError(.unsupportedGrantType).because("grant_type: expected client_credentials; found \(grant)")
  }
  guard let pair = BasicAuthentication(request.headers) else {
    throw OAuthError(.invalidClient).because("expected Basic authorization with key id and key secret")
  }
  let known = try PlanCredential.find(pair.name, in: sandbox)
  guard known?.kind == .key || known == nil && sandbox.acceptsUnknownAccounts else {
    throw OAuthError(.invalidClient).because("sandbox \(sandbox.name) has no access key \(pair.name)")
  }
  guard known.map({ pair.hasPassword($0.credential.secret) }) ?? true else {
    throw OAuthError(.invalidClient).because("wrong secret of the access key \(pair.name)")
  }
  let token = SMSToken(for: pair.name, in: sandbox)
  return .json(200) { json in
    json.member("access_token", token.text(in: sandbox))
    json.member("expires_in", SMSToken.lifetime - 1)
    json.member("scope", "")
    json.member("token_type", "bearer")
  }
}

/// A token for the plan of an access key. Its text holds key and times, so tokens are not stored.
struct SMSToken {
  let key: String
  private let issuedAt: Timestamp

  /// In seconds. Source: sinch-sdk-node.
  static let lifetime = 3600

  init(for key: String, in sandbox: Sandbox) {
    self.key = key
    issuedAt = sandbox.clock.now.wholeSeconds
  }

  /// Fails for expired tokens, and for those of other sandboxes.
  init(_ text: String, in sandbox: Sandbox) throws {
    guard let claims = JSONWebToken.claims(of: text, key: Self.signingKey(in: sandbox)),
      let key = try? claims.string("sub"), let issuedAt = try? claims.int("iat")
    else {
      throw SMSError(.unauthorized).because("not an access token of sandbox \(sandbox.name)")
    }
    self.key = key
    self.issuedAt = Timestamp(unixSeconds: issuedAt)
    let end = self.issuedAt + .seconds(Self.lifetime)
    guard sandbox.clock.now < end else {
      throw SMSError(.unauthorized).ofExpiredToken.because("the access token expired at \(end.iso8601)")
    }
  }

  func text(in sandbox: Sandbox) -> String {
    let claims = JSONWriter.object { json in
      json.member("sub", key)
      json.member("iat", issuedAt.unixSeconds)
      json.member("exp", issuedAt.unixSeconds + Self.lifetime)
    }
    return JSONWebToken.sign(claims, key: Self.signingKey(in: sandbox))
  }

  private static func signingKey(in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("sinch access token", 0)
  }
}
