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

  @Test("46 C2: a refresh may ask for less, and not for more")
  func refreshScope() throws {
    let first = try camara.threeLegged(CAMARAWorld.a, scope: "sim-swap device-swap:check offline_access")
    var refresh = try first.string("refresh_token")
    func ask(_ scope: String?) throws -> Exchange {
      try camara.ask(.refreshToken, [("refresh_token", refresh), ("scope", scope)])
    }
    for wider in ["number-recycling:check", "sim-swap kyc-match:match", "nonsense", "dpv:Marketing sim-swap"]
    {
      #expect(try camara.oauthError(ask(wider)) == "400 invalid_scope", "\(wider)")
    }
    let less = try camara.fields(of: ask("sim-swap:check"))
    #expect(try less.string("scope") == "\(CAMARAWorld.purpose) sim-swap:check")
    let token = try less.string("access_token")
    #expect(try camara.call("/sim-swap/v2/check", "{}", token: token).answer.hasPrefix("200"))
    #expect(try camara.call("/device-swap/v1/check", "{}", token: token).answer.hasPrefix("403"))
    refresh = try less.string("refresh_token")
    #expect(try camara.fields(of: ask(nil)).string("scope") == first.string("scope"))
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

  @Test("46 C4: discovery has what clients look for")
  func discovery() throws {
    let configuration = try camara.fields(
      of: camara.open("/camara/.well-known/openid-configuration", as: nil))
    for name in [
      "backchannel_authentication_request_signing_alg_values_supported",
      "request_object_signing_alg_values_supported", "revocation_endpoint_auth_signing_alg_values_supported",
      "introspection_endpoint_auth_signing_alg_values_supported",
    ] {
      #expect(try configuration.strings(name) == ["RS256", "ES256", "PS256"], "\(name)")
    }
    let ways = try configuration.strings("token_endpoint_auth_methods_supported")
    for endpoint in ["revocation", "introspection"] {
      #expect(try configuration.strings("\(endpoint)_endpoint_auth_methods_supported") == ways)
    }
    #expect(try configuration.strings("response_modes_supported") == ["query"])
    let token = try camara.claims(camara.threeLegged(CAMARAWorld.a).string("id_token"))
    #expect(try Set(token.names).isSubset(of: configuration.strings("claims_supported")))
    let other = try camara.authorize(camara.query(["response_mode": "fragment"]), as: CAMARAWorld.a)
    #expect(try camara.returned(other)["error"] == "invalid_request")
  }

  @Test("46 C4: an API says how to get a better token (RFC 6750, 3)")
  func challenges() throws {
    func challenge(_ token: String?) throws -> String? {
      try camara.call("/sim-swap/v2/check", "{}", token: token).headers["WWW-Authenticate"]
    }
    #expect(try challenge(nil) == #"Bearer realm="camara""#)
    #expect(try challenge("nothing") == #"Bearer realm="camara", error="invalid_token""#)
    #expect(
      try challenge(camara.token("number-recycling:check"))
        == #"Bearer realm="camara", error="insufficient_scope", scope="sim-swap:check""#)
    #expect(try challenge(camara.token("sim-swap:check")) == nil)
  }

  @Test("46 C7: prompt=consent asks again, whatever the record says", arguments: ["granted", "denied"])
  func promptConsent(answer: String) throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"\#(answer)"}}"#)
    let start = try camara.authorize(
      camara.query(["prompt": "consent"], scope: "sim-swap:check"), as: CAMARAWorld.a)
    let (hops, page) = try camara.follow(start, as: CAMARAWorld.a)
    #expect(page.answer.hasPrefix("200 <!DOCTYPE html>"))

    let path = String(hops.last?.dropFirst("http://127.0.0.1:5550/camara".count) ?? "")
    let allowed = try camara.returned(camara.post(path, [("decision", "allow")]))
    #expect(try camara.exchange(allowed["code"] ?? "").answer.hasPrefix("200"))
    let again = try camara.open(String(hops[1].dropFirst(21)), as: CAMARAWorld.a)
    #expect(try camara.returned(again) == allowed)
    #expect(try camara.signedIn(as: CAMARAWorld.a, ["prompt": "consent"])["error"] == "consent_required")
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
      #expect(try ask(secret, basic, at: path) == twice, "\(path)")
      #expect(try ask(camara.signIn(), basic, at: path) == twice, "\(path)")
      #expect(try ask(secret + camara.signIn(), [:], at: path) == twice, "\(path)")
      #expect(try ask(secret, application, at: path) == twice, "\(path)")
    }
    #expect(try ask([("client_id", camara.clientID), ("client_secret", "")], basic) == "200")
    #expect(try ask([("client_id", "other")], basic) == "401 invalid_client")
    let assertion = try camara.bearerAssertion(subject: "tel:\(CAMARAWorld.a)")
    let wrong = Request.basic(camara.clientID, "wrong")
    let refused = try camara.post(
      "/oauth2/token", [("grant_type", Grant.jwtBearer.rawValue), ("assertion", assertion)], headers: wrong)
    #expect(try camara.oauthError(refused) == "401 invalid_client")
  }

  @Test("46 C7: a refresh token that is used again ends all tokens of its authorization")
  func reuse() throws {
    let first = try camara.threeLegged(CAMARAWorld.a, scope: "sim-swap:check offline_access")
    let old = try first.string("refresh_token")
    let second = try camara.fields(of: camara.ask(.refreshToken, [("refresh_token", old)]))
    let introspected = try camara.post("/oauth2/introspect", [("token", old)] + camara.signIn())
    #expect(introspected.answer == #"200 {"active":false}"#)
    func check(_ token: Fields) throws -> String {
      String(
        try camara.call("/sim-swap/v2/check", "{}", token: token.string("access_token")).answer.prefix(3))
    }
    #expect(try check(first) == "200" && check(second) == "200")

    #expect(try camara.oauthError(camara.ask(.refreshToken, [("refresh_token", old)])) == "400 invalid_grant")
    #expect(try check(first) == "401" && check(second) == "401")
    let new = try second.string("refresh_token")
    #expect(try camara.oauthError(camara.ask(.refreshToken, [("refresh_token", new)])) == "400 invalid_grant")
  }

  @Test("46 C7: a record may name a purpose without dpv:")
  func consentKeys() throws {
    try camara.subscriber(
      CAMARAWorld.a,
      #"{"consent":{"FraudPreventionAndDetection":"denied","Marketing#sim-swap":"unknown"}}"#)

    let record = try camara.world.send(.to("/control/subscribers/\(CAMARAWorld.a)")).answer
    #expect(
      record.contains(
        #""consent":{"dpv:FraudPreventionAndDetection":"denied","dpv:Marketing#sim-swap":"unknown"}"#))
    #expect(try camara.signedIn(as: CAMARAWorld.a)["error"] == "consent_required")
    try camara.subscriber(
      CAMARAWorld.a,
      #"{"consent":{"FraudPreventionAndDetection":null,"dpv:Marketing#sim-swap":null,"#
        + #""*#sim-swap:check":"denied"}}"#)
    let cleared = try camara.world.send(.to("/control/subscribers/\(CAMARAWorld.a)")).answer
    #expect(cleared.contains(#""consent":{"*#sim-swap:check":"denied"}"#))
  }

  @Test(
    "46 C7: what no client can ask for is no key of consent",
    arguments: [
      "", "dpv:", "*foo", "dpv:*", "a b", "dpv:dpv:Marketing", "DPV:Marketing", "#sim-swap", "Marketing#",
      "Marketing#banana", "Marketing#sim-swap#check", "*#check", String(repeating: "a", count: 101),
    ])
  func nonsenseKeys(key: String) throws {
    let refused = try camara.world.send(
      .json(.put, "/control/subscribers/\(CAMARAWorld.a)", #"{"consent":{"\#(key)":"denied"}}"#))
    #expect(refused.answer.hasPrefix(#"400 {"error":"$.consent"#), "\(refused.answer)")
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
