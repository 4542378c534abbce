import ProviderKit

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer`: an assertion about a subscriber, which is also
/// the client's authentication (RFC 7523). Source: contract 3.6.
enum JWTBearer {
  static func grant(_ context: OAuthContext) throws -> Response {
    let sandbox = context.sandbox
    func refuse(_ why: String) -> OAuthError {
      OAuthError(.invalidGrant, "The assertion is not valid.").because(why)
    }
    if try context.parameter("scope") != nil {
      throw OAuthError(.invalidRequest, "The scope belongs into the assertion.")
    }
    guard let token = ClientToken(try context.required("assertion")) else {
      throw refuse("expected a JSON Web Token with RS256, ES256 or PS256")
    }
    let client = try issuer(of: token, context)
    if try !SignIn.all(in: context).isEmpty, try SignIn.client(of: context).client.id != client.id {
      throw OAuthError(.invalidClient, "Another client has signed in than the assertion names.")
        .because("iss: expected the client that signs in")
    }
    try client.require(.jwtBearer)
    if let problem = token.timeProblem(sandbox.clock, needsIssue: true) { throw refuse(problem) }
    let audiences = context.audiences
    guard token.audience.contains(where: audiences.contains) else {
      throw refuse("aud: expected \(audiences.joined(separator: " or "))")
    }
    if let problem = try token.spend(of: client, in: sandbox) { throw refuse(problem) }
    let scope = try Scope((try? token.claims.optionalString("scope")) ?? "", of: client, context.settings)
    try scope.requirePurpose()
    guard !scope.isOpenID else { throw OAuthError(.invalidScope, "An assertion has no scope openid.") }
    guard let hint = (try? token.claims.optionalString("sub")).flatMap({ LoginHint($0) }), !hint.isAddress
    else {
      throw refuse("sub: expected tel: or operatortoken: and a value")
    }
    guard let (number, method) = try hint.subscriber(context.settings, in: sandbox) else {
      throw refuse("sub: no such subscriber, or a token that is used or void")
    }
    var authorization = Authorization()
    authorization.clientID = client.id
    (authorization.scope, authorization.number, authorization.method) = (scope, number, method)
    guard try authorization.hasConsent(in: sandbox) else { throw refuse("\(number) has not consented") }
    var access = AccessToken(of: authorization)
    return try TokenResponse.issue(&access, for: 120, context)
  }

  /// The client whose key has signed. An open sandbox accepts unknown clients.
  private static func issuer(of token: ClientToken, _ context: OAuthContext) throws -> Client {
    let sandbox = context.sandbox
    guard let id = token.issuer else {
      throw OAuthError(.invalidClient, "Unknown client.").because("iss: expected a client's id")
    }
    guard let client = try Client.find(id, in: sandbox) else { return try Client.unknown(id, in: sandbox) }
    guard try token.isSigned(by: client, in: sandbox) else {
      throw OAuthError(.invalidClient, "The assertion is not signed by the client.")
    }
    return client
  }
}

extension LoginHint {
  fileprivate var isAddress: Bool {
    if case .address = self { true } else { false }
  }
}
