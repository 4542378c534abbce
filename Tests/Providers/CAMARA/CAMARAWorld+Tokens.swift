import Basics
import Crypto
import Domain
import HTTP
import JSON
import ProviderKit
import Support

@testable import CAMARA

/// Signed tokens of the client.
extension CAMARAWorld {
  static let issuer = "http://127.0.0.1:5550/camara"
  static let tokenURL = "\(issuer)/oauth2/token"
  static let purpose = "dpv:FraudPreventionAndDetection"

  var now: Int { sandbox.clock.now.unixSeconds }

  /// A token that the client has signed with the key `keys.accounts`, or with another one.
  func sign(_ claims: [(String, JSON)], key: String? = nil) throws -> String {
    let pem: String = if let key { key } else { try sandbox.keys[.accounts]?.privatePEM ?? "" }
    return try JSONWebToken.sign(
      JSON.object(claims.map { .init(name: $0, value: $1) }).encoded(),
      header: Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8),
      rs256Key: SigningKey(privatePEM: pem, publicPEM: ""), in: sandbox)
  }

  /// An assertion by which the client signs in.
  func assertion(
    jti: String, lifetime: Int = 60, issuedAgo: Int? = 0, audience: String = tokenURL, key: String? = nil,
    client: String? = nil
  ) throws -> String {
    let id = client ?? clientID
    var claims: [(String, JSON)] = [
      ("iss", .string(id)), ("sub", .string(id)), ("aud", .string(audience)),
      ("exp", .integer(Int64(now + lifetime))), ("jti", .string(jti)),
    ]
    if let issuedAgo { claims.append(("iat", .integer(Int64(now - issuedAgo)))) }
    return try sign(claims, key: key)
  }

  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// The two fields by which the client signs in.
  func signIn(
    lifetime: Int = 60, issuedAgo: Int? = 0, audience: String = tokenURL, key: String? = nil,
    jti: String? = nil
  ) throws -> [(String, String?)] {
    let number = jti ?? "n\(sandbox.newestOrdinal) \(sandbox.journal.last?.ordinal ?? 0)"
    return [
      ("client_assertion_type", Self.assertionType),
      (
        "client_assertion",
        try assertion(jti: number, lifetime: lifetime, issuedAgo: issuedAgo, audience: audience, key: key)
      ),
    ]
  }

  /// Asks for tokens as the client, signed in.
  func ask(_ grant: Grant, _ fields: [(String, String?)] = []) throws -> Exchange {
    try post("/oauth2/token", [("grant_type", grant.rawValue)] + fields + signIn())
  }

  // MARK: The front end

  static let redirect = "http://127.0.0.1:8080/callback"
  static let verifier = "0123456789012345678901234567890123456789012"
  static let challenge = Base64.encodeForURL(SHA256.hash(Array(verifier.utf8)))

  /// The query of `authorize`, of which `changes` replace or, with nil, remove fields.
  func query(_ changes: [String: String?] = [:], scope: String = "number-verification:verify") -> String {
    var fields: [(String, String)] = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", Self.redirect),
      ("scope", "openid \(Self.purpose) \(scope)"), ("state", "st 1"), ("nonce", "n-1"),
      ("code_challenge", Self.challenge), ("code_challenge_method", "S256"), ("prompt", "none"),
    ]
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      fields.removeAll { $0.0 == name }
      if let value { fields.append((name, value)) }
    }
    return fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
  }

  /// Opens `authorize` on a handset.
  func authorize(_ query: String, as handset: String? = nil, headers: Headers = [:]) throws -> Exchange {
    try open("/camara/oauth2/authorize?\(query)", as: handset, headers: headers)
  }

  func open(_ path: String, as handset: String?, headers: Headers = [:]) throws -> Exchange {
    var all: Headers = ["Host": "127.0.0.1:5550"]
    if let handset { all.add("X-Sandbox-Handset", handset) }
    all.append(headers)
    return try world.send(Request(.get, Target(path), headers: all))
  }

  /// Follows redirects to this server. Returns those that it has followed, and the last answer.
  func follow(
    _ start: Exchange, as handset: String?, headers: Headers = [:]
  ) throws -> (hops: [String], last: Exchange) {
    var (hops, last): ([String], Exchange) = ([], start)
    let origin = "http://127.0.0.1:5550"
    while hops.count < 10, let url = last.headers["Location"], url.hasPrefix(origin + "/") {
      hops.append(url)
      last = try open(String(url.dropFirst(origin.count)), as: handset, headers: headers)
    }
    return (hops, last)
  }

  /// The fields with which the browser comes back to the client.
  func signedIn(
    as handset: String?, _ changes: [String: String?] = [:], scope: String = "number-verification:verify",
    headers: Headers = [:]
  ) throws -> [String: String] {
    let start = try authorize(query(changes, scope: scope), as: handset, headers: headers)
    return try returned(follow(start, as: handset, headers: headers).last)
  }

  func returned(_ exchange: Exchange) throws -> [String: String] {
    guard let url = exchange.headers["Location"], url.hasPrefix("\(Self.redirect)?") else {
      throw Refusal(answer: exchange.answer)
    }
    let form = try Form(parsing: Array(url.dropFirst(Self.redirect.count + 1).utf8))
    return Dictionary(form.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Exchanges a code.
  func exchange(
    _ code: String, verifier: String = verifier, redirect: String = redirect
  ) throws -> Exchange {
    try ask(
      .authorizationCode, [("code", code), ("code_verifier", verifier), ("redirect_uri", redirect)])
  }

  /// The answer of the token endpoint after a sign-in over cellular.
  func threeLegged(_ handset: String, scope: String = "number-verification:verify") throws -> Fields {
    let code = try signedIn(as: handset, scope: scope)["code"] ?? ""
    return try fields(of: exchange(code))
  }

  /// `C3(n)`: a token by auth code over cellular.
  func c3(_ handset: String, scope: String = "number-verification:verify") throws -> String {
    try threeLegged(handset, scope: scope).string("access_token")
  }

  // MARK: Back end to back end

  func bearerAssertion(
    subject: String, scope: String = "number-verification:verify", lifetime: Int = 60, issuedAgo: Int = 0,
    audience: String = tokenURL
  ) throws -> String {
    try sign([
      ("iss", .string(clientID)), ("sub", .string(subject)), ("aud", .string(audience)),
      ("exp", .integer(Int64(now + lifetime))), ("iat", .integer(Int64(now - issuedAgo))),
      ("jti", .string("b\(sandbox.newestOrdinal) \(sandbox.journal.last?.ordinal ?? 0)")),
      ("scope", .string("\(Self.purpose) \(scope)")),
    ])
  }

  func bearer(_ assertion: String, _ more: [(String, String?)] = []) throws -> Exchange {
    try post("/oauth2/token", [("grant_type", Grant.jwtBearer.rawValue), ("assertion", assertion)] + more)
  }

  /// `J3(n)` with `tel:`, `S3(n)` with `operatortoken:`.
  func j3(_ subject: String, scope: String = "number-verification:verify") throws -> String {
    try fields(of: bearer(bearerAssertion(subject: subject, scope: scope))).string("access_token")
  }

  func simToken(_ number: String) throws -> String {
    try fields(of: world.send(.to("/control/subscribers/\(number)/sim-token", .post))).string("token")
  }

  /// Starts CIBA.
  func backchannel(_ hint: String?, _ more: [(String, String?)] = [], scope: String? = nil) throws -> Exchange
  {
    try post(
      "/oauth2/bc-authorize",
      [("scope", scope ?? "openid \(Self.purpose) sim-swap:check"), ("login_hint", hint)] + more + signIn())
  }

  func poll(_ id: String) throws -> Exchange { try ask(.ciba, [("auth_req_id", id)]) }

  func advance(_ duration: String) throws {
    _ = try world.send(.json(.post, "/control/clock", #"{"advance":"\#(duration)"}"#))
  }

  /// The claims of a token, not verified.
  func claims(_ token: String) throws -> Fields {
    let part = token.split(separator: ".")[1]
    return try Fields(Base64.decodeFromURL(part) ?? [])
  }
}
