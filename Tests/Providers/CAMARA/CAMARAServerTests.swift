import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

/// What official clients and the profile expect of the authorization server. Source: issue 46, C.
@Suite("CAMARA · authorization server", .contract("camara.md 3"))
struct CAMARAServerTests {
  let camara: CAMARAWorld
  private let secret: [(String, String?)] = [("client_secret", "sandbox-app-secret")]

  init() throws { camara = try CAMARAWorld() }

  /// A signed request object; a change with nil removes a claim.
  private func object(_ changes: [(String, JSON?)] = []) throws -> String {
    let claims: [(String, JSON)] = [
      ("iss", .string(camara.clientID)), ("aud", .string("\(CAMARAWorld.issuer)/oauth2/authorize")),
      ("iat", .integer(Int64(camara.now))), ("exp", .integer(Int64(camara.now + 60))),
      ("jti", .string("o\(camara.sandbox.newestOrdinal)-\(camara.sandbox.journal.last?.ordinal ?? 0)")),
      ("client_id", .string(camara.clientID)), ("redirect_uri", .string(CAMARAWorld.redirect)),
      ("scope", .string("openid \(CAMARAWorld.purpose) sim-swap:check")), ("state", .string("inside")),
      ("nonce", .string("n-2")),
    ]
    return try camara.sign(
      claims.filter { old in !changes.contains { $0.0 == old.0 } }
        + changes.compactMap { change in change.1.map { (change.0, $0) } })
  }

  private func signedIn(with object: String) throws -> [String: String] {
    try camara.signedIn(
      as: CAMARAWorld.a, ["request": object, "code_challenge": nil, "code_challenge_method": nil],
      scope: "sim-swap:check")
  }

  @Test("46 C1: a request object may be for the endpoint, the token endpoint or the server")
  func requestAudience() throws {
    for audience in ["oauth2/authorize", "oauth2/token", ""] {
      let url = audience.isEmpty ? CAMARAWorld.issuer : "\(CAMARAWorld.issuer)/\(audience)"
      #expect(try signedIn(with: object([("aud", .string(url))]))["code"] != nil, "\(url)")
    }
    #expect(
      try signedIn(with: object([("aud", .string("\(CAMARAWorld.issuer)/oauth2/revoke"))]))["error"]
        == "invalid_request_object")
    let (host, path) = ("oidc.idp.vonage.com", "/oauth2/auth")
    let query = try camara.query(
      ["request": object([("aud", .string("http://\(host)\(path)"))])], scope: "sim-swap:check")
    let start = try camara.world.send(Request(.get, Target("\(path)?\(query)"), headers: ["Host": host]))
    #expect(start.headers["Location"]?.hasPrefix("http://\(host)/carrier/") == true)
  }

  @Test("46 C7: a request object has client_id, redirect_uri and scope, as outside of it")
  func requestMembers() throws {
    let wrong: [(String, JSON?)] = [
      ("client_id", nil), ("redirect_uri", nil), ("scope", nil), ("scope", .string("sim-swap:check")),
      ("scope", .array([.string("sim-swap:check")])), ("response_type", .string("token")),
      ("nonce", .integer(5)), ("nbf", .integer(Int64(camara.now + 60))), ("nbf", .string("now")),
    ]
    let issuer: (String, JSON?) = ("aud", .string(CAMARAWorld.issuer))
    for change in wrong {
      #expect(try signedIn(with: object([issuer, change]))["error"] == "invalid_request_object", "\(change)")
    }
    let right: [(String, JSON?)] = [
      ("response_type", .string("code")), ("nbf", .integer(Int64(camara.now))),
    ]
    #expect(try signedIn(with: object(right))["state"] == "inside")
  }

  @Test("46 C1: a signed request of CIBA has its parameters in the object only")
  func signedBackchannel() throws {
    func start(_ more: [(String, String?)] = []) throws -> Exchange {
      let hint: [(String, JSON?)] = [
        ("login_hint", .string("tel:\(CAMARAWorld.a)")), ("client_id", nil), ("redirect_uri", nil),
        ("aud", .string("\(CAMARAWorld.issuer)/oauth2/bc-authorize")),
      ]
      return try camara.post("/oauth2/bc-authorize", [("request", object(hint))] + more + camara.signIn())
    }
    let id = try camara.fields(of: start()).string("auth_req_id")

    #expect(
      try camara.fields(of: camara.poll(id)).string("scope")
        == "openid \(CAMARAWorld.purpose) sim-swap:check")
    for outside in [
      ("scope", "openid \(CAMARAWorld.purpose) sim-swap:check"), ("login_hint", "tel:\(CAMARAWorld.a)"),
    ] {
      let refused = try start([outside])
      #expect(try camara.oauthError(refused) == "400 invalid_request")
      #expect(try camara.fields(of: refused).string("error_description").hasPrefix(outside.0))
    }
  }

  @Test("46 C3: over the shared URL, a second sandbox has the issuer and the audience of discovery")
  func secondSandbox() throws {
    let made = try camara.world.send(.json(.post, "/control/sandboxes", #"{"name":"two"}"#))
    let own = try Fields(Array(made.answer.dropFirst(4).utf8)).object("credentials").object("camara")
    let (client, key) = (try own.string("clientId"), try own.string("privateKey"))
    for base in ["/camara", "/s/two/camara"] {
      let configuration = try camara.fields(
        of: camara.open("\(base)/.well-known/openid-configuration", as: nil))
      let start = try camara.open(
        "\(base)/oauth2/authorize?\(camara.query(["client_id": client]))", as: CAMARAWorld.a)
      let code = try camara.returned(camara.follow(start, as: CAMARAWorld.a).last)["code"]
      let assertion = try camara.assertion(
        jti: base, audience: configuration.string("token_endpoint"), key: key, client: client)
      let answer = try camara.post(
        "/oauth2/token",
        [
          ("grant_type", "authorization_code"), ("code", code), ("code_verifier", CAMARAWorld.verifier),
          ("redirect_uri", CAMARAWorld.redirect), ("client_assertion_type", CAMARAWorld.assertionType),
          ("client_assertion", assertion),
        ], under: base)
      let token = try camara.claims(camara.fields(of: answer).string("id_token"))
      #expect(try token.string("iss") == configuration.string("issuer"))
    }
  }

  @Test("46 C7: a request signs in once")
  func signIns() throws {
    let basic = Request.basic(camara.clientID, "sandbox-app-secret")
    let application: Headers = [
      "Authorization": "Bearer \(try camara.sign([("application_id", .string(camara.clientID))]))"
    ]
    func ask(
      _ more: [(String, String?)], _ headers: Headers, at path: String = "/oauth2/token"
    ) throws -> String {
      let form: [(String, String?)] = [
        ("grant_type", "client_credentials"), ("scope", "sim-swap:check"), ("token", "t"),
        ("login_hint", "tel:\(CAMARAWorld.a)"),
      ]
      let answer = try camara.post(path, form + more, headers: headers)
      return answer.answer.hasPrefix("200") ? "200" : try camara.oauthError(answer)
    }
    let twice = "400 invalid_request"
    for path in ["/oauth2/token", "/oauth2/bc-authorize", "/oauth2/introspect", "/oauth2/revoke"] {
      #expect(try ask(camara.signIn(), basic, at: path) == twice, "\(path)")
      #expect(try ask(secret + camara.signIn(), [:], at: path) == twice, "\(path)")
      #expect(try ask(secret, application, at: path) == twice, "\(path)")
    }
    let assertion = try camara.bearerAssertion(subject: "tel:\(CAMARAWorld.a)")
    let wrong = Request.basic(camara.clientID, "wrong")
    let refused = try camara.post(
      "/oauth2/token", [("grant_type", Grant.jwtBearer.rawValue), ("assertion", assertion)], headers: wrong)
    #expect(try camara.oauthError(refused) == "401 invalid_client")
  }

  @Test(
    "46 B5: a phone opens the front end, and the app gets its URL with the code",
    arguments: ["ios", "android"])
  func open(platform: String) throws {
    func open(_ query: String, on number: String = CAMARAWorld.a) throws -> Fields {
      let url = "http://127.0.0.1:5550/camara/oauth2/authorize?\(query)"
      let answer = try camara.world.send(
        .json(.post, "/control/devices/\(number)/open", #"{"url":"\#(url)","as":"\#(platform)"}"#)
      )
      return try camara.fields(of: answer)
    }
    let walked = try open(camara.query())
    let code = try walked.string("code")

    #expect(try walked.string("ending") == "redirect")
    #expect(try walked.string("url") == "\(CAMARAWorld.redirect)?code=\(code)&state=st%201")
    #expect(try walked.objects("hops").map { try $0.int("status") } == [302, 302, 302])
    #expect(try camara.exchange(code).answer.hasPrefix("200"))

    let refused = try open(camara.query(["scope": "openid"]))
    #expect(try refused.string("ending") == "redirect" && !refused.has("code"))
    #expect(try refused.string("why").hasPrefix("invalid_scope: "))
  }
}
