import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · tokens", .contract("camara.md 3.4"))
struct CAMARATokenTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private func check(_ token: String) throws -> String {
    try camara.call("/sim-swap/v2/check", "{}", token: token).answer
  }

  @Test("M7: a code becomes a bearer token, and an ID token that does not tell the number")
  func exchange() throws {
    let code = try camara.signedIn(as: CAMARAWorld.a)["code"] ?? ""
    let answer = try camara.exchange(code)

    answer.matches(golden: "code")
    let fields = try camara.fields(of: answer)
    #expect(try fields.string("token_type") == "Bearer")
    let claims = try camara.claims(fields.string("id_token"))
    #expect(try claims.string("nonce") == "n-1")
    #expect(try claims.string("aud") == camara.clientID)
    #expect(try !claims.string("sub").contains("2025550100"))
    #expect(try claims.strings("amr") == ["nbauth"])
  }

  @Test("M9: assertions that are no authentication")
  func assertions() throws {
    func ask(_ fields: [(String, String?)]) throws -> String {
      let answer = try camara.post(
        "/oauth2/token", [("grant_type", "client_credentials"), ("scope", "sim-swap:check")] + fields)
      if let fields = try? camara.fields(of: answer), fields.has("access_token") { return "200" }
      return try camara.oauthError(answer)
    }
    let own = try #require(try camara.sandbox.keys[.webhooks]).privatePEM
    let refused = "401 invalid_client"

    #expect(try ask(camara.signIn(lifetime: 300, jti: "a")) == "200")
    #expect(try ask(camara.signIn(lifetime: 301, issuedAgo: nil)) == refused)
    #expect(try ask(camara.signIn(lifetime: 1, issuedAgo: 300)) == refused)
    #expect(try ask(camara.signIn(key: own)) == refused)
    #expect(try ask(camara.signIn(jti: "a")) == refused)
    #expect(try ask(camara.signIn(audience: "https://other.example/token")) == refused)
    #expect(try ask(camara.signIn(lifetime: 0)) == refused)
    #expect(try ask(camara.signIn(issuedAgo: nil) + [("client_id", "other")]) == refused)
    #expect(try ask([]) == refused)
    #expect(try ask(camara.signIn(audience: CAMARAWorld.issuer)) == "200")
    try camara.load(#"{"settings":{"clientAuth":"private_key_jwt"}}"#)
    #expect(try ask([("client_id", camara.clientID), ("client_secret", "sandbox-app-secret")]) == refused)
  }

  @Test("M10: a subscriber has one name for each client")
  func subjects() throws {
    func subject(_ handset: String, of client: CAMARAWorld) throws -> String {
      try client.claims(client.threeLegged(handset).string("id_token")).string("sub")
    }
    try camara.load(
      #"{"clients":[{"clientId":"other-app","redirectUris":["http://127.0.0.1/callback"]}]}"#)
    let other = CAMARAWorld(of: camara.world, clientID: "other-app")
    let names = [
      try subject(CAMARAWorld.a, of: camara), try subject(CAMARAWorld.b, of: camara),
      try subject(CAMARAWorld.a, of: other),
    ]

    #expect(Set(names).count == 3)
    #expect(try subject(CAMARAWorld.a, of: camara) == names[0])
  }

  @Test("M18: a refresh token is valid once, until the consent is withdrawn")
  func refresh() throws {
    let first = try camara.threeLegged(CAMARAWorld.a, scope: "sim-swap:check offline_access")
    let old = try first.string("refresh_token")
    let second = try camara.ask(.refreshToken, [("refresh_token", old)])
    second.matches(golden: "refreshed")
    let new = try camara.fields(of: second).string("refresh_token")
    #expect(new != old)
    #expect(try check(camara.fields(of: second).string("access_token")).hasPrefix("200"))
    #expect(
      try camara.oauthError(camara.ask(.refreshToken, [("refresh_token", old)])) == "400 invalid_grant")
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"\#(CAMARAWorld.purpose)":"denied"}}"#)
    #expect(
      try camara.oauthError(camara.ask(.refreshToken, [("refresh_token", new)])) == "400 invalid_grant")
    #expect(try camara.threeLegged(CAMARAWorld.b, scope: "sim-swap:check").has("refresh_token") == false)
  }

  @Test("a grant that nobody knows, and one without its parameters")
  func grants() throws {
    func ask(_ fields: [(String, String?)]) throws -> Exchange {
      try camara.post("/oauth2/token", fields + camara.signIn())
    }
    let unknown = try ask([("grant_type", "password")])
    unknown.matches(golden: "unknown-grant")
    #expect(try camara.oauthError(unknown) == "400 unsupported_grant_type")
    #expect(try camara.oauthError(ask([])) == "400 invalid_request")
    #expect(
      try camara.oauthError(ask([("grant_type", "client_credentials"), ("scope", "a"), ("scope", "b")]))
        == "400 invalid_request")
    #expect(try camara.oauthError(ask([("grant_type", "authorization_code")])) == "400 invalid_request")
  }

  @Test("a proof of possession changes nothing: tokens are bearer tokens", .contract("camara.md 3.2"))
  func proofs() throws {
    let form: [(String, String?)] = [("grant_type", "client_credentials"), ("scope", "sim-swap:check")]
    let exchange = try camara.post(
      "/oauth2/token", form + camara.signIn(), headers: ["DPoP": "eyJ0eXAiOiJkcG9wK2p3dCJ9.e30.c2ln"])
    let fields = try camara.fields(of: exchange)
    let answer = try camara.call(
      "/sim-swap/v2/check", #"{"phoneNumber":"+12025550102"}"#, token: fields.string("access_token"),
      headers: ["DPoP": "not a token"])

    #expect(try fields.string("token_type") == "Bearer")
    #expect(answer.answer == #"200 {"swapped":true}"#)
  }

  @Test("what a token is, and how it is revoked")
  func introspection() throws {
    let fields = try camara.threeLegged(CAMARAWorld.a, scope: "sim-swap:check offline_access")
    let (access, refresh) = (try fields.string("access_token"), try fields.string("refresh_token"))
    func introspect(_ token: String) throws -> Exchange {
      try camara.post("/oauth2/introspect", [("token", token)] + camara.signIn())
    }
    func revoke(_ token: String) throws -> Exchange {
      try camara.post("/oauth2/revoke", [("token", token)] + camara.signIn())
    }
    try introspect(access).matches(golden: "active")
    #expect(try camara.fields(of: introspect(refresh)).bool("active"))
    try camara.post("/oauth2/introspect", [("token", access)]).matches(golden: "no-client")
    try revoke(refresh).matches(golden: "revoked")
    try camara.post("/oauth2/revoke", [("token", access)]).matches(golden: "no-client")
    #expect(try check(access).hasPrefix("401"))
    #expect(try introspect(access).answer == #"200 {"active":false}"#)
    #expect(try introspect(refresh).answer == #"200 {"active":false}"#)
    #expect(try revoke("nothing").answer == "200")
    let other = try camara.token("sim-swap:check")
    #expect(try revoke(other).answer == "200")
    #expect(try check(other).hasPrefix("401"))
  }
}
