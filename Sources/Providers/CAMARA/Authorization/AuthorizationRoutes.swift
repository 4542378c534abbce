import ProviderKit

/// The paths of the authorization server. Source: contract 3.1.
enum Endpoint: String {
  case configuration = "/.well-known/openid-configuration"
  case keys = "/jwks"
  case authorize = "/oauth2/authorize"
  case callback = "/oauth2/callback"
  case consent = "/oauth2/consent"
  case backchannel = "/oauth2/bc-authorize"
  case token = "/oauth2/token"
  case introspect = "/oauth2/introspect"
  case revoke = "/oauth2/revoke"
}

extension CAMARAProvider {
  /// Most are bound to the provider's hosts and prefix, because other providers have such paths too.
  static var authorizationRoutes: [Route<Sandbox>] {
    // These two also for an aggregator's clients, whose host is another provider's.
    let shared: [Route<Sandbox>] = [
      .post("/oauth2/bc-authorize", as: "startBackchannel", startBackchannel),
      .post("/oauth2/token", as: "createToken", createToken),
    ]
    let own: [Route<Sandbox>] = [
      .get("/.well-known/openid-configuration", as: "fetchConfiguration", fetchConfiguration),
      .get("/jwks", as: "fetchKeys", fetchKeys),
      .get("/oauth2/authorize", as: "authorize", authorize),
      .post("/oauth2/authorize", as: "authorizeByForm", authorize),
      .get("/oauth2/callback/{token}", as: "finishAuthorization", finishAuthorization),
      .get("/oauth2/consent/{token}", as: "showConsent", showConsent),
      .post("/oauth2/consent/{token}", as: "decideConsent", decideConsent),
      .post("/oauth2/introspect", as: "introspectToken", introspectToken),
      .post("/oauth2/revoke", as: "revokeToken", revokeToken),
      .get("/oauth2/v1/auth/clientcredentials", as: "fetchClientCredentials", fetchClientCredentials),
    ]
    return shared + own.map(\.hostBound)
  }
}
