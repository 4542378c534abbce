import ProviderKit

/// `POST /oauth2/token`. Source: contract 3.4 to 3.7.
func createToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  let text = try context.required("grant_type")
  guard let grant = Grant(rawValue: text) else {
    throw OAuthError(.unsupportedGrantType, "Unknown grant_type.").because("grant_type: \(text)")
  }
  switch grant {
  case .authorizationCode: return try exchangeCode(context)
  case .refreshToken: return try RefreshToken.exchange(context)
  case .clientCredentials: return try grantClientCredentials(context)
  case .ciba: return try BackchannelRequest.poll(context)
  case .jwtBearer: return try JWTBearer.grant(context)
  }
}

/// A token that names no subscriber. Whether it needs a purpose is not said: it may have one.
/// Source: contract 3.3 and 3.7.
private func grantClientCredentials(_ context: OAuthContext) throws -> Response {
  let (client, signIn) = try SignIn.client(of: context, for: .clientCredentials)
  var token = AccessToken()
  token.clientID = client.id
  token.scope = try Scope(
    context.required("scope"), of: client, context.settings, isLenient: signIn.isLenient)
  token.isLenient = signIn.isLenient
  return try TokenResponse.issue(&token, for: 3600, context)
}

/// Source: contract 3.4.
private func exchangeCode(_ context: OAuthContext) throws -> Response {
  let (client, signIn) = try SignIn.client(of: context, for: .authorizationCode)
  let text = try context.required("code")
  let sent = try context.parameter("redirect_uri")
  do {
    let authorization = try Authorization.exchange(
      code: text, of: client,
      redirectURI: { code in
        if Dialects.takeAnyRedirectURI(signIn, context) { return nil }
        return try code.isLenient ? sent : context.required("redirect_uri")
      },
      verifier: context.parameter("code_verifier"), in: context.sandbox)
    return try TokenResponse.issue(
      for: authorization, context, isLenient: signIn.isLenient, withIDToken: authorization.scope.isOpenID)
  } catch let refusal as CodeRefusal {
    throw OAuthError(.invalidGrant, "The authorization code is not valid.").because(refusal.why)
  }
}
