import Crypto
import Domain
import HTTP
import JSON
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
  case .refreshToken: return try refreshTokens(context)
  case .clientCredentials: return try grantClientCredentials(context)
  case .ciba: return try pollBackchannel(context)
  case .jwtBearer: return try grantJWTBearer(context)
  }
}

extension Client {
  func require(_ grant: Grant) throws(OAuthError) {
    guard grants.contains(grant) else {
      throw OAuthError(.unauthorizedClient, "The client may not use this grant.")
        .because("client \(id) has no grant \(grant.rawValue)")
    }
  }
}

/// A token that names no subscriber. Whether it needs a purpose is not said: it may have one.
/// Source: contract 3.3 and 3.7.
private func grantClientCredentials(_ context: OAuthContext) throws -> Response {
  let (client, signIn) = try authenticateClient(context)
  try client.require(.clientCredentials)
  var token = AccessToken()
  token.clientID = client.id
  token.scope = try Scope(
    context.required("scope"), of: client, context.settings, isLenient: signIn.isLenient)
  token.isLenient = signIn.isLenient
  return try tokenResponse(&token, for: 3600, context)
}

/// Source: contract 3.4.
private func exchangeCode(_ context: OAuthContext) throws -> Response {
  let (client, signIn) = try authenticateClient(context)
  try client.require(.authorizationCode)
  let text = try context.required("code")
  let sent = try context.parameter("redirect_uri")
  do {
    let authorization = try Authorization.exchange(
      code: text, of: client,
      redirectURI: { code in
        if context.takesAnyRedirectURI(of: signIn) { return nil }
        return try code.isLenient ? sent : context.required("redirect_uri")
      },
      verifier: context.parameter("code_verifier"), in: context.sandbox)
    return try tokenResponse(
      for: authorization, context, isLenient: signIn.isLenient, withIDToken: authorization.scope.isOpenID)
  } catch let refusal as CodeRefusal {
    throw OAuthError(.invalidGrant, "The authorization code is not valid.").because(refusal.why)
  }
}

/// Why a code is not exchanged.
struct CodeRefusal: Error {
  let why: String
}

extension Authorization {
  /// The authorization of a client's code, which cannot be used again. Throws `CodeRefusal`. `redirectURI`
  /// has the client's; nil: any is accepted. Without a `verifier`, none but a code without a challenge.
  static func exchange(
    code text: String, of client: Client, redirectURI: (Code) throws -> String?,
    verifier: @autoclosure () throws -> String?, in sandbox: Sandbox
  ) throws -> Authorization {
    guard var authorization = try find(text, in: sandbox), authorization.clientID == client.id,
      let code = authorization.code
    else { throw CodeRefusal(why: "no such code of client \(client.id)") }
    guard !code.isUsed else {
      try authorization.revoke(in: sandbox)
      throw CodeRefusal(why: "it was used before; now its tokens are void")
    }
    guard sandbox.clock.now < code.expiresAt else {
      throw CodeRefusal(why: "it expired at \(code.expiresAt.iso8601)")
    }
    guard try redirectURI(code).map({ $0 == code.redirectURI }) ?? true else {
      throw CodeRefusal(why: "redirect_uri: expected \(code.redirectURI), as before")
    }
    guard try verifier().map({ Base64.encodeForURL(SHA256.hash(Array($0.utf8))) }) == code.challenge else {
      throw CodeRefusal(why: "code_verifier: not the one of code_challenge")
    }
    authorization.code?.isUsed = true
    try authorization.save(in: sandbox)
    return authorization
  }
}

/// The tokens of an authorization by code or by CIBA. With the setting `nvTokens` at `sync26`, a token for
/// Number Verification lives for 300 s at most, can be used once and not be refreshed. `scope`: less than all
/// that was granted. Source: contract 3.7.
func tokenResponse(
  for authorization: Authorization, scope: Scope? = nil, _ context: OAuthContext, isLenient: Bool,
  withIDToken: Bool
) throws -> Response {
  let isShortLived = authorization.scope.isForNumberVerification && context.settings.nvTokens == .sync26
  var token = AccessToken(of: authorization)
  token.scope = scope ?? token.scope
  token.authorization = authorization.id
  token.isSingleUse = isShortLived
  token.isLenient = isLenient
  let isRefreshable = authorization.scope.isOffline && !isShortLived
  let refresh =
    try isRefreshable ? RefreshToken.issue(for: authorization, in: context.sandbox).text : nil
  let identity = try withIDToken ? IDToken(of: authorization, context).text(in: context.sandbox) : nil
  return try tokenResponse(&token, for: isShortLived ? 300 : 3600, context) { json in
    if let refresh { json.member("refresh_token", refresh) }
    if let identity { json.member("id_token", identity) }
  }
}

/// Issues a token for some seconds, and answers with it.
func tokenResponse(
  _ token: inout AccessToken, for seconds: Int, _ context: OAuthContext,
  _ write: (inout JSONWriter) -> Void = { _ in }
) throws -> Response {
  try token.issue(for: .seconds(seconds), in: context.sandbox)
  return .uncachedJSON { [token] json in
    json.member("access_token", token.text)
    json.member("token_type", "Bearer")
    json.member("expires_in", seconds)
    write(&json)
    json.member("scope", token.scope.text)
  }
}

extension AccessToken {
  /// Not issued yet.
  init(of authorization: Authorization) {
    self.init()
    clientID = authorization.clientID
    scope = authorization.scope
    number = authorization.number
    isFromNetwork = authorization.method != .number
  }
}

extension Response {
  /// 200 with an object that nobody keeps.
  static func uncachedJSON(_ write: (inout JSONWriter) -> Void) -> Response {
    var response = Response.json(200, JSONWriter.object(write))
    response.headers.add("Cache-Control", "no-store")
    return response
  }
}
