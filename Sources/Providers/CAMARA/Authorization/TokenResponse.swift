import ProviderKit

/// The answer of the token endpoint. Source: contract 3.7.
enum TokenResponse {
  /// The tokens of an authorization by code or by CIBA. With the setting `nvTokens` at `sync26`, a token for
  /// Number Verification lives for 300 s at most, can be used once and not be refreshed. `scope`: less than
  /// all that was granted.
  static func issue(
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
    return try issue(&token, for: isShortLived ? 300 : 3600, context) { json in
      if let refresh { json.member("refresh_token", refresh) }
      if let identity { json.member("id_token", identity) }
    }
  }

  /// Issues a token for some seconds, and answers with it.
  static func issue(
    _ token: inout AccessToken, for seconds: Int, _ context: OAuthContext,
    _ write: (inout JSONWriter) -> Void = { _ in }
  ) throws -> Response {
    try token.issue(for: .seconds(seconds), in: context.sandbox)
    return OAuthContext.response { [token] json in
      json.member("access_token", token.text)
      json.member("token_type", "Bearer")
      json.member("expires_in", seconds)
      write(&json)
      json.member("scope", token.scope.text)
    }
  }
}
