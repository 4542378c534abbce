package import Domain
package import HTTP
import JSON
package import ProviderKit

/// CAMARA (GSMA Open Gateway), release Fall25: an operator's authorization server, and the network APIs that
/// answer questions about a phone number. Contract: `camara.md`; the specifications:
/// https://github.com/camaraproject
package enum CAMARAProvider: Provider {
  package static let name = "camara"
  package static let defaultSeed = PackageResources.Seed_json
  package static let address = ProviderAddress(hosts: ["api.camara.example"])
  package static let secretFields = ["client_assertion", "assertion", "code", "auth_req_id", "login_hint"]
  package static let variables = [
    Variable("CAMARA_CLIENT_ID", .credential("clientId")), Variable("CAMARA_BASE_URL", .baseURL),
  ]

  package static var errors: [ErrorRow] {
    ErrorCode.allCases.map { ErrorRow($0.rawValue, $0.status.code, $0.message, in: "api") }
      + OAuthCode.allCases.map { ErrorRow($0.rawValue, $0.status.code, "", in: "oauth") }
  }
  package static let errorExamples = PackageResources.Errors_http

  /// The authorization server has the errors of OAuth 2, all other paths those of the APIs.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    if request.target.path.contains("/oauth2/") { return OAuthError(failure).response }
    let (correlator, _) = Correlator.read(request, in: sandbox)
    return correlator.added(to: APIError(failure).response)
  }

  /// The client of a request: that of its token, or the one that signs in.
  package static func credential(in request: Request) -> String? {
    if case .token(let token) = BearerToken(request.headers) { return AccessToken.client(in: token) }
    if let basic = BasicAuthentication(request.headers) { return basic.name }
    if request.method == .get { return try? request.query["client_id"] }
    guard let form = try? request.form else { return nil }
    return form["client_id"]
      ?? (form["client_assertion"] ?? form["assertion"]).flatMap { ClientToken($0)?.issuer }
  }
}
