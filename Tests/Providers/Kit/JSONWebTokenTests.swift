import Basics
import Crypto
import Domain
import JSON
import ProviderKit
import Support
import Testing

@Suite("Kit · JSON Web Tokens", .contract("https://www.rfc-editor.org/rfc/rfc7515", read: "2026-11-26"))
struct JSONWebTokenTests {
  private let text = VonageTokens.valid
  private typealias Algorithm = JSONWebToken.Algorithm

  /// The header of an algorithm, a payload and a signature.
  private func compact(_ algorithm: String, _ payload: String = "{}", _ signature: String = "s") -> String {
    [#"{"alg":"\#(algorithm)"}"#, payload, signature].map { Base64.encodeForURL(Array($0.utf8)) }
      .joined(separator: ".")
  }

  private func publicKey(_ key: SigningKey?) throws -> PublicKey {
    try #require(key.flatMap { PublicKey(pem: $0.publicPEM) })
  }

  @Test("the claims and times of a token are read, and its signature is verified")
  func valid() throws {
    let world = try TestSandbox()
    let token = try #require(JSONWebToken(text, by: [.rs256]))
    let claims = try token.claims

    #expect(token.algorithm == .rs256)
    #expect(try token.header.string("typ") == "JWT")
    #expect(token.isSigned(by: try publicKey(world.sandbox.keys[.accounts])))
    #expect(!token.isSigned(by: try publicKey(world.sandbox.keys[.webhooks])))
    #expect(!token.isSigned(by: nil))
    #expect(try claims.string("jti") == "1")
    #expect(try claims.unixTime("iat").iso8601 == "2026-01-05T10:20:30Z")
    #expect(try claims.unixTime("exp").iso8601 == "2026-01-05T10:35:30Z")
    #expect(try claims.optionalUnixTime("nbf") == nil)
  }

  private func claims(exp value: String) throws -> Fields { try Fields(Array(#"{"exp":\#(value)}"#.utf8)) }

  @Test(
    "46 A1: a time may have a fraction or an exponent",
    arguments: [
      ("1767608430.5", "2026-01-05T10:20:30.500Z"), ("1767608430.9999", "2026-01-05T10:20:30.999Z"),
      ("1.76760843e9", "2026-01-05T10:20:30.000Z"), ("0.25", "1970-01-01T00:00:00.250Z"),
      ("253402300799.5", "9999-12-31T23:59:59.500Z"),
    ])
  func fractions(value: String, time: String) throws {
    #expect(try claims(exp: value).unixTime("exp").iso8601Milliseconds == time)
  }

  @Test(
    "46 A1: the error of a time names what was found",
    arguments: [
      ("-1", "the number -1"), ("-0.5", "the number -0.5"), ("253402300800", "the number 253402300800"),
      ("9223372036854775807", "the number 9223372036854775807"), ("1e300", "the number 1e+300"),
      (#""1767608430""#, #"the string "1767608430""#), (#""""#, #"the string """#),
      ("true", "the boolean true"),
      ("{}", "an object"),
    ])
  func noTimes(value: String, found: String) throws {
    let error = #expect(throws: FieldError.self) { try claims(exp: value).optionalUnixTime("exp") }
    #expect(error?.description == "exp: expected seconds since 1970, as a number; found \(found)")
    #expect(throws: FieldError.self) { try claims(exp: value).unixTime("exp") }
  }

  @Test("46 A1: a time that is missing is no wrong one")
  func missingTimes() throws {
    #expect(try claims(exp: "null").optionalUnixTime("exp") == nil)
    let error = #expect(throws: FieldError.self) { try claims(exp: "null").unixTime("exp") }
    #expect(error?.description == "exp: missing; expected seconds since 1970, as a number")
  }

  @Test("46 A1: digits in a string are a time only where a provider reads them")
  func digits() throws {
    #expect(
      try claims(exp: #""1767608430""#).unixTime("exp", acceptsDigits: true).unixSeconds == 1_767_608_430)
    for text in ["", " 1", "1.5", "-1", "1e9", "soon", String(repeating: "9", count: 400)] {
      let claims = try claims(exp: #""\#(text)""#)
      #expect(throws: FieldError.self) { try claims.unixTime("exp", acceptsDigits: true) }
    }
  }

  @Test("a changed token has another signature")
  func changed() throws {
    let key = try publicKey(TestSandbox().sandbox.keys[.accounts])
    let parts = text.split(separator: ".")

    #expect(JSONWebToken("\(parts[0]).e30.\(parts[2])", by: [.rs256])?.isSigned(by: key) == false)
    #expect(JSONWebToken("\(parts[0]).\(parts[1]).AA", by: [.rs256])?.isSigned(by: key) == false)
  }

  @Test("other texts are no tokens")
  func invalid() {
    let parts = text.split(separator: ".")
    for other in [
      "", ".", "..", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", "e30.e30.e30", "W10.e30.AA", "\(text).",
      " \(text)", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1]).!",
      "\(parts[0]).\(parts[1])=.\(parts[2])", compact("rs256"), compact(""), compact("none", "{}", "s"),
      compact("RS256", "{}", ""), String(repeating: "a", count: 20_000),
      compact("RS256", String(repeating: " ", count: JSONWebToken.maxSize)),
      String(repeating: ".", count: JSONWebToken.maxSize),
    ] {
      #expect(JSONWebToken(other, by: Algorithm.allCases) == nil, "\(other.prefix(100))")
    }
  }

  @Test("only the algorithms of the caller are accepted")
  func algorithms() {
    for algorithm in Algorithm.allCases {
      let text = compact(algorithm.rawValue, "{}", algorithm == .unsigned ? "" : "s")
      for allowed in Algorithm.allCases {
        #expect((JSONWebToken(text, by: [allowed]) != nil) == (allowed == algorithm))
      }
    }
  }

  @Test("a payload that is no object has no claims", arguments: ["", "[]", "{", "1", #"{"a":1,"a":2}"#])
  func noClaims(payload: String) throws {
    let token = try #require(JSONWebToken(compact("HS256", payload), by: [.hs256]))

    #expect(throws: FieldError.self) { try token.claims }
    #expect(JSONWebToken.unverifiedClaims(of: compact("HS256", payload)) == nil)
  }

  @Test("each algorithm accepts only a key of its kind")
  func kinds() throws {
    let world = try TestSandbox()
    let sandbox = world.sandbox
    let rsa = try #require(try sandbox.keys[.accounts])
    let p256 = SigningKey.p256(secret: [UInt8](repeating: 1, count: 32))
    let claims = Array(#"{"sub":"a"}"#.utf8)
    let signed = [
      JSONWebToken.sign(claims, key: "secret"),
      try JSONWebToken.sign(claims, header: Array(#"{"alg":"RS256"}"#.utf8), rs256Key: rsa, in: sandbox),
      try #require(
        JSONWebToken.sign(claims, header: Array(#"{"alg":"ES256"}"#.utf8), es256Key: p256.privatePEM)),
      // Signed rightly, but with the algorithm of another.
      try JSONWebToken.sign(claims, header: Array(#"{"alg":"ES256"}"#.utf8), rs256Key: rsa, in: sandbox),
      try JSONWebToken.sign(claims, header: Array(#"{"alg":"PS256"}"#.utf8), rs256Key: rsa, in: sandbox),
    ].map { JSONWebToken($0, by: Algorithm.allCases) }

    #expect(signed.map { $0?.isSigned(withSecret: "secret") } == [true, false, false, false, false])
    #expect(signed.map { $0?.isSigned(withSecret: "another") } == Array(repeating: false, count: 5))
    #expect(signed.map { $0?.isSigned(withSecret: rsa.publicPEM) } == Array(repeating: false, count: 5))
    let (rsaKey, curveKey) = (try publicKey(rsa), try publicKey(p256))
    #expect(signed.map { $0?.isSigned(by: rsaKey) } == [false, true, false, false, false])
    #expect(signed.map { $0?.isSigned(by: curveKey) } == [false, false, true, false, false])
    #expect(JSONWebToken.sign(claims, header: [], es256Key: rsa.privatePEM) == nil)
    #expect(throws: DamagedState.self) {
      try JSONWebToken.sign(claims, header: [], rs256Key: p256, in: sandbox)
    }
  }

  @Test("a JSON Web Key with a wrong member is no key")
  func webKeys() throws {
    let key = try #require(
      RSAPublicKey(pem: TestSandbox().sandbox.keys[.accounts]?.publicPEM ?? ""))
    let (n, e) = (Base64.encodeForURL(key.modulus), Base64.encodeForURL(key.exponent))
    func read(_ members: String) throws -> PublicKey? { PublicKey(try Fields(Array("{\(members)}".utf8))) }

    #expect(try read(#""kty":"RSA","n":"\#(n)","e":"\#(e)","kid":"1""#)?.id == "1")
    for members in [
      "", #""kty":"RSA""#, #""kty":"oct","k":"AA""#, #""kty":"RSA","n":"\#(n)""#,
      #""kty":"RSA","n":"\#(n)","e":1"#, #""kty":"RSA","n":"AQAB","e":"\#(e)""#,
      #""kty":"RSA","n":"\#(n)=","e":"\#(e)""#, #""kty":"EC","crv":"P-256","x":"AA","y":"AA""#,
      #""kty":"EC","crv":"P-384","x":"\#(n)","y":"\#(n)""#,
    ] {
      #expect(try read(members) == nil, "\(members)")
    }
  }
}
