package import ProviderKit

/// CAMARA (GSMA Open Gateway), release Fall25: an operator's authorization server, and the network APIs that
/// answer questions about a phone number. Contract: `camara.md`; the specifications:
/// https://github.com/camaraproject
package enum CAMARAProvider: Provider {
  package static let name = "camara"
  package static let defaultSeed = PackageResources.Seed_json
  /// Those of aggregators' clients: an operator's own clients take theirs from a contract.
  /// Source: contract 15.
  package static let address = {
    var address = ProviderAddress(hosts: Dialects.hosts)
    address.prefixes = ["apigateway"]
    return address
  }()
  /// Those of an API too, which count for all of its scopes.
  package static let consentScopes = Scope.supported.flatMap { [$0, Permission.api(of: $0)] }
  package static let secretFields = ["client_assertion", "assertion"]
  package static let variables = [
    Variable("CAMARA_CLIENT_ID", .credential("clientId")),
    Variable("CAMARA_CLIENT_SECRET", .credential("clientSecret")),
    Variable("CAMARA_BASE_URL", .baseURL),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let signing: String? = """
    Basic with clientId and clientSecret at the token endpoint; or client_assertion there, with \
    client_assertion_type urn:ietf:params:oauth:client-assertion-type:jwt-bearer: a JWT by privateKey with the claims \
    iss and sub (clientId), aud (the endpoint), iat, exp and jti. The APIs take Bearer with the token.
    """

  package static var errors: [ErrorRow] {
    errorTable.rows.filter { $0.format != OAuthCode.redirectFormat }
  }
  static let errorTable = ErrorTable(
    PackageResources.Errors_txt, names: ErrorCode.self, OAuthCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  /// The authorization server has the errors of OAuth 2, all other paths those of the APIs.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let path = request.target.path
    if path.contains("/oauth2/") || path.hasSuffix("/token") || path.hasSuffix("/bc-authorize") {
      return OAuthError(failure).response
    }
    let (correlator, _) = Correlator.read(request, in: sandbox)
    return APIError(failure).response.with(correlator)
  }

  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {
    if case .answered(let challenge) = event { try BackchannelRequest.decide(challenge, in: sandbox) }
    try Subscription.handle(event, in: sandbox)
  }

  /// The client of a request: that of its token, or the one that signs in.
  package static func credential(in request: Request) -> String? {
    if case .token(let text) = BearerToken(request.headers) {
      return TokenText.client(in: text) ?? ClientToken(text)?.application
    }
    if let basic = BasicAuthentication(request.headers) { return basic.name }
    if request.method == .get { return try? request.query["client_id"] }
    // A copy, because this reader is not the handler.
    guard let form = try? Form(parsing: request.body) else { return nil }
    return form["client_id"] ?? form["refresh_token"].flatMap { TokenText.client(in: $0) }
      ?? (form["client_assertion"] ?? form["assertion"]).flatMap { ClientToken($0)?.issuer }
  }
}
