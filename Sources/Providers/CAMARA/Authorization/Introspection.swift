import ProviderKit

/// `POST /oauth2/introspect`: what a token is, for servers that get it (RFC 7662). Source: contract 3.1.
func introspectToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  _ = try SignIn.client(of: context)
  context.form.declare(["token_type_hint"])
  let text = try context.required("token")
  if let token = try AccessToken.find(text, in: sandbox) {
    let subject = try token.number.map { try IDToken.subject($0, of: token.clientID, in: sandbox) }
    return OAuthContext.response { json in
      json.member("active", true)
      json.member("scope", token.scope.text)
      json.member("client_id", token.clientID)
      json.member("token_type", "Bearer")
      json.member("exp", token.expiresAt.unixSeconds)
      json.member("iat", token.issuedAt.unixSeconds)
      if let subject { json.member("sub", subject) }
      json.member("iss", context.issuer)
    }
  }
  if let token = try RefreshToken.find(text, in: sandbox), !token.isUsed,
    let origin = try Authorization.find(token.authorization, in: sandbox), !origin.isRevoked
  {
    return OAuthContext.response { json in
      json.member("active", true)
      json.member("scope", origin.scope.text)
      json.member("client_id", token.clientID)
      json.member("iss", context.issuer)
    }
  }
  return OAuthContext.response { $0.member("active", false) }
}

/// `POST /oauth2/revoke`: voids a token of the client; with a refresh token all that came with it (RFC 7009).
/// Source: contract 3.1.
func revokeToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  let client = try SignIn.client(of: context).client
  context.form.declare(["token_type_hint"])
  let text = try context.required("token")
  if let token = try AccessToken.find(text, in: sandbox) {
    try token.requireOwner(client)
    try token.revoke(in: sandbox)
  } else if let token = try RefreshToken.find(text, in: sandbox) {
    guard token.clientID == client.id else { throw OAuthError.foreignToken }
    if var origin = try Authorization.find(token.authorization, in: sandbox) {
      try origin.revoke(in: sandbox)
    }
  }
  return Response(200, headers: ["Cache-Control": "no-store"])
}

extension AccessToken {
  fileprivate func requireOwner(_ client: Client) throws(OAuthError) {
    guard clientID == client.id else { throw OAuthError.foreignToken }
  }
}

extension OAuthError {
  fileprivate static let foreignToken = OAuthError(
    .unauthorizedClient, "The token was issued to another client.")
}
