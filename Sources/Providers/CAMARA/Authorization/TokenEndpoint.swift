import Domain
import HTTP
import JSON
import ProviderKit

/// `POST /oauth2/token`. Source: contract 3.5 to 3.7.
func createToken(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  let text = try context.required("grant_type")
  guard let grant = Grant(rawValue: text) else {
    throw OAuthError(.unsupportedGrantType, "Unknown grant_type.").because("grant_type: \(text)")
  }
  switch grant {
  case .clientCredentials: return try grantClientCredentials(context)
  default: throw OAuthError(.unsupportedGrantType, "Unknown grant_type.").because("grant_type: \(text)")
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
  let client = try authenticateClient(context)
  try client.require(.clientCredentials)
  let scope = try Scope(context.required("scope"), of: client, context.settings)
  var token = AccessToken()
  token.clientID = client.id
  token.scopes = scope.names
  token.purpose = scope.purpose
  let lifetime = 3600
  try token.issue(for: .seconds(lifetime), in: context.sandbox)
  return tokenResponse { json in
    json.member("access_token", token.text)
    json.member("token_type", "Bearer")
    json.member("expires_in", lifetime)
    json.member("scope", scope.text)
  }
}

private func tokenResponse(_ write: (inout JSONWriter) -> Void) -> Response {
  var response = Response.json(200, JSONWriter.object(write))
  response.headers.add("Cache-Control", "no-store")
  return response
}
