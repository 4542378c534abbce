import Crypto
import ProviderKit

/// `GET /.well-known/openid-configuration`. Source: contract 3.1.
func fetchConfiguration(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let context = try OAuthContext(request, in: sandbox)
  let algorithms = ClientToken.algorithms.map(\.rawValue)
  let secrets = context.settings.clientAuth == .any ? ["client_secret_basic", "client_secret_post"] : []
  return .json(200) { json in
    json.member("issuer", context.issuer)
    json.member("authorization_endpoint", context.url(of: .authorize))
    // Where Nokia's client sends browsers.
    json.member("fast_flow_csp_auth_endpoint", context.url(of: .authorize))
    json.member("token_endpoint", context.url(of: .token))
    json.member("backchannel_authentication_endpoint", context.url(of: .backchannel))
    json.member("jwks_uri", context.url(of: .keys))
    json.member("introspection_endpoint", context.url(of: .introspect))
    json.member("revocation_endpoint", context.url(of: .revoke))
    json.member("response_types_supported", ["code"])
    json.member("response_modes_supported", [AuthorizationRequest.responseMode])
    json.member("grant_types_supported", Grant.allCases.map(\.rawValue))
    json.member("backchannel_token_delivery_modes_supported", ["poll"])
    json.member("backchannel_user_code_parameter_supported", false)
    json.member("subject_types_supported", ["pairwise"])
    json.member("id_token_signing_alg_values_supported", ["RS256"])
    for endpoint in ["token", "revocation", "introspection"] {
      json.member(named: "\(endpoint)_endpoint_auth_methods_supported", ["private_key_jwt"] + secrets)
      json.member(named: "\(endpoint)_endpoint_auth_signing_alg_values_supported", algorithms)
    }
    json.member("request_object_signing_alg_values_supported", algorithms)
    json.member("backchannel_authentication_request_signing_alg_values_supported", algorithms)
    json.member("request_parameter_supported", true)
    json.member("request_uri_parameter_supported", false)
    json.member("code_challenge_methods_supported", ["S256"])
    json.member("scopes_supported", Scope.supported)
    json.member("claims_supported", IDToken.claims)
    json.member("claims_parameter_supported", false)
  }
}

/// `GET /jwks`: the keys that verify ID tokens (RFC 7517).
func fetchKeys(_ request: Request, in sandbox: Sandbox) throws -> Response {
  _ = try request.query
  let key = try sandbox.keys[.webhooks]
  let keys =
    key.flatMap { key in
      sandbox.parsedKeys.key(in: key.publicPEM) { RSAPublicKey(pem: $0) }.map { (key, $0) }
    }.map { [$0] } ?? []
  return .json(200) { json in
    json.array("keys", keys) { json, pair in
      json.value { json in
        json.member("kty", "RSA")
        json.member("use", "sig")
        json.member("alg", "RS256")
        json.member("kid", SigningKeyID.text(of: pair.0))
        json.member("n", Base64.encodeForURL(pair.1.modulus))
        json.member("e", Base64.encodeForURL(pair.1.exponent))
      }
    }
  }
}
