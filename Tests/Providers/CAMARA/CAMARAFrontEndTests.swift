import Crypto
import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · front end", .contract("camara.md 3.4"))
struct CAMARAFrontEndTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  @Test("M1: the listed endpoints exist, and the keys verify an ID token")
  func discovery() throws {
    let listed = try camara.open("/camara/.well-known/openid-configuration", as: nil)
    let configuration = try camara.fields(of: listed)
    for name in [
      "authorization_endpoint", "token_endpoint", "backchannel_authentication_endpoint", "jwks_uri",
      "introspection_endpoint", "revocation_endpoint",
    ] {
      let path = try configuration.string(name).dropFirst("http://127.0.0.1:5550".count)
      #expect(try !camara.open(String(path), as: nil).answer.hasPrefix("404"), "\(name)")
    }
    let keys = try camara.open("/camara/jwks", as: nil)
    let key = try #require(camara.fields(of: keys).objects("keys").first)
    let modulus = try #require(Base64.decodeFromURL(key.string("n")))
    let exponent = try #require(Base64.decodeFromURL(key.string("e")))
    let token = try camara.threeLegged(CAMARAWorld.a).string("id_token")
    let parts = token.split(separator: ".")
    let signature = try #require(Base64.decodeFromURL(parts[2]))

    let publicKey = try #require(RSAPublicKey(modulus: modulus, exponent: exponent))
    #expect(publicKey.accepts(pkcs1Signature: signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    #expect(try configuration.string("issuer") == camara.claims(token).string("iss"))
    #expect(try Set(camara.claims(token).names).isSubset(of: configuration.strings("claims_supported")))
    listed.matches(golden: "listed")
    keys.matches(golden: "listed")
    try camara.open("/camara/.well-known/openid-configuration?a=%", as: nil).matches(golden: "bad-query")
    try camara.open("/camara/jwks?a=%", as: nil).matches(golden: "bad-query")
  }

  @Test("M2: a handset comes back with a code and the same state")
  func silent() throws {
    let start = try camara.authorize(camara.query(), as: CAMARAWorld.a)
    let (hops, last) = try camara.follow(start, as: CAMARAWorld.a)

    #expect(hops.count <= 5)
    #expect(last.answer == "302")
    let returned = try camara.returned(last)
    #expect(Set(returned.keys) == ["code", "state"])
    #expect(returned["state"] == "st 1")
    start.matches(golden: "redirect")
    last.matches(golden: "code")
    #expect(try camara.returned(camara.open(String(hops[1].dropFirst(21)), as: CAMARAWorld.a)) == returned)
  }

  @Test("M2: parameters may come in a form, and the number of the hint is the handset's in magic mode")
  func form() throws {
    let pairs = try Form(
      parsing: Array(camara.query(["login_hint": "tel:\(CAMARAWorld.b)"]).utf8)
    ).pairs.map { ($0.name, Optional($0.value)) }
    let start = try camara.post("/oauth2/authorize", pairs)
    start.matches(golden: "redirect")
    try camara.post("/oauth2/authorize", []).matches(golden: "no-client")
    let code = try camara.returned(camara.follow(start, as: nil).last)["code"] ?? ""
    let token = try camara.fields(of: camara.exchange(code)).string("access_token")
    let verified = try camara.call(
      "/number-verification/v2/verify", #"{"phoneNumber":"\#(CAMARAWorld.b)"}"#, token: token)
    #expect(verified.answer == #"200 {"devicePhoneNumberVerified":true}"#)
  }

  @Test("M3: without a known client, nobody is redirected")
  func noRedirect() throws {
    try camara.authorize(camara.query(["client_id": "nobody"]), as: CAMARAWorld.a)
      .matches(golden: "unknown-client")
  }

  @Test("the operator's page asks for consent, and notes it")
  func consentPage() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    func page() throws -> (path: String, page: Exchange) {
      let start = try camara.authorize(
        camara.query(["prompt": nil], scope: "sim-swap:check"), as: CAMARAWorld.a)
      let (hops, last) = try camara.follow(start, as: CAMARAWorld.a)
      return (String(hops.last?.dropFirst(28) ?? ""), last)
    }
    let (path, shown) = try page()
    shown.matches(golden: "page")

    try camara.post(path, [("decision", "maybe")]).matches(golden: "no-decision")
    let denied = try camara.post(path, [("decision", "deny")])
    #expect(try camara.returned(denied)["error"] == "access_denied")
    let allowed = try camara.post(page().path, [("decision", "allow")])
    allowed.matches(golden: "allowed")
    #expect(try camara.exchange(camara.returned(allowed)["code"] ?? "").answer.hasPrefix("200"))
    #expect(try camara.signedIn(as: CAMARAWorld.a, scope: "sim-swap:check")["code"] != nil)
    try camara.open("/camara/oauth2/consent/s_aaaaaaaaaaaaaaaaaaaaaaaaaa", as: nil).matches(golden: "unknown")
    try camara.open("/camara/oauth2/callback/s_aaaaaaaaaaaaaaaaaaaaaaaaaa", as: nil).matches(
      golden: "unknown")
  }

  @Test("the parameters of a signed request object count")
  func requestObject() throws {
    func object(_ changes: [(String, JSON)] = [], expires: Int = 60) throws -> String {
      let claims: [(String, JSON)] = [
        ("iss", .string(camara.clientID)), ("aud", .string(CAMARAWorld.issuer)),
        ("iat", .integer(Int64(camara.now))), ("exp", .integer(Int64(camara.now + expires))),
        ("jti", .string("r\(camara.sandbox.newestOrdinal)-\(camara.sandbox.journal.last?.ordinal ?? 0)")),
        ("state", .string("inside")), ("nonce", .string("n-2")),
        ("client_id", .string(camara.clientID)), ("redirect_uri", .string(CAMARAWorld.redirect)),
        ("scope", .string("openid \(CAMARAWorld.purpose) number-verification:verify")),
      ]
      return try camara.sign(claims.filter { old in !changes.contains { $0.0 == old.0 } } + changes)
    }
    func returned(_ object: String) throws -> [String: String] {
      try camara.signedIn(
        as: CAMARAWorld.a, ["request": object, "code_challenge": nil, "code_challenge_method": nil])
    }
    let once = try object()
    let first = try returned(once)
    #expect(first["state"] == "inside")
    let answer = try camara.ask(
      .authorizationCode, [("code", first["code"]), ("redirect_uri", CAMARAWorld.redirect)])
    #expect(try camara.claims(camara.fields(of: answer).string("id_token")).string("nonce") == "n-2")

    #expect(try returned(once)["error"] == "invalid_request_object")
    #expect(try returned(object(expires: 301))["error"] == "invalid_request_object")
    let wrong: [(String, JSON)] = [
      ("aud", .string("https://other.example")), ("iat", .integer(Int64(camara.now + 60))),
      ("client_id", .string("other")), ("iss", .string("other")), ("jti", .string("")),
    ]
    for change in wrong { #expect(try returned(object([change]))["error"] == "invalid_request_object") }
  }
}
