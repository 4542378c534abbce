import Crypto
import ProviderKit

extension ProveProvider {
  /// SDKs ask for a token at the root of the origin, whatever the path of their base URL. So this route is
  /// not bound to Prove's hosts. Another provider's `/token` is bound to its own. Source: contract 1.3 and
  /// 2.1.
  static var tokenRoutes: [Route<Sandbox>] {
    [.post("/token", as: "createToken", numbered(createToken))]
  }
}

/// `POST /token`. Source: contract 2.1.
func createToken(_ request: Request, in sandbox: Sandbox, _ settings: Settings) throws -> Response {
  let form = try request.form
  form.declare(["grant_type", "client_id", "client_secret", "scope"])
  func required(_ name: String) throws(APIError) -> String {
    guard let value = form[name], !value.isEmpty else { throw APIError.missing(name) }
    return value
  }
  let grant = try required("grant_type")
  guard grant == "client_credentials" else {
    throw APIError.malformed("grant_type", expected: "client_credentials")
  }
  let clientID = try required("client_id")
  try authenticate(clientID, secret: required("client_secret"), in: sandbox)
  let seconds = settings.accessTokenSeconds
  let token = AccessToken(for: clientID, lifetime: .seconds(seconds), in: sandbox)
  return .json(200) { json in
    json.member("access_token", token.text(id: IdentifierKind.token.new(in: sandbox), in: sandbox))
    json.member("token_type", "Bearer")
    json.member("expires_in", seconds)
    // Documented as not supported: no request takes it.
    json.member("refresh_token", IdentifierKind.token.new(in: sandbox))
    json.member("refresh_expires_in", seconds)
  }
}

/// An open sandbox accepts unknown clients with any secret.
private func authenticate(_ clientID: String, secret: String, in sandbox: Sandbox) throws {
  guard let known = try sandbox.accounts.find(clientID, of: ProveProvider.name) else {
    guard sandbox.acceptsUnknownAccounts else {
      throw APIError(.unauthorized).because("no client \(clientID) in sandbox \(sandbox.name)")
    }
    return
  }
  guard constantTimeEqual(known.secret, secret) else {
    throw APIError(.unauthorized).because("wrong secret of client \(clientID)")
  }
}
