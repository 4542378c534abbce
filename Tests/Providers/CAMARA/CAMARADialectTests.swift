import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · clients of aggregators", .contract("camara.md 15"))
struct CAMARADialectTests {
  let camara: CAMARAWorld
  private let id = "sandbox-app"

  init() throws { camara = try CAMARAWorld() }

  @Test("names are unique, and an alias has the name and the method of its operation")
  func names() {
    let standard = CAMARAProvider.standardRoutes
    let methods = Dictionary(standard.map { ($0.name, $0.method) }) { first, _ in first }

    #expect(methods.count == standard.count)
    #expect(CAMARAProvider.routes.count > standard.count)
    #expect(CAMARAProvider.routes.allSatisfy { methods[$0.name] == $0.method })
  }

  private func json(_ path: String, _ body: String, _ headers: Headers, host: String = "127.0.0.1:5550")
    throws
    -> Exchange
  {
    var all: Headers = ["Host": host, "Content-Type": "application/json"]
    all.append(headers)
    return try camara.world.send(Request(.post, Target(path), headers: all, body: Array(body.utf8)))
  }

  private func form(_ path: String, _ body: String, _ headers: Headers, host: String) throws -> Exchange {
    var all: Headers = ["Host": host]
    all.append(headers)
    return try camara.world.send(Request(.post, Target(path), headers: all, body: Array(body.utf8)))
  }

  private func token(_ answer: Exchange) throws -> Headers {
    ["Authorization": "Bearer \(try camara.fields(of: answer).string("access_token"))"]
  }

  /// The code with which the authorization of a query comes back, on the handset of A.
  private func code(_ query: String) throws -> String {
    let start = try camara.open("/camara/oauth2/auth?\(query)", as: CAMARAWorld.a)
    return try camara.returned(camara.follow(start, as: CAMARAWorld.a).last)["code"] ?? ""
  }

  // The number has a swap three days ago.
  private let swapped = "%2B12025550102"

  @Test("M60: Vonage's clients sign a token of their application, and send forms as JSON")
  func vonage() throws {
    func application(lifetime: Int = 900, key: String? = nil) throws -> Headers {
      let token = try camara.sign(
        [
          ("application_id", .string(id)), ("iat", .integer(Int64(camara.now))),
          ("exp", .integer(Int64(camara.now + lifetime))), ("jti", .string("v")),
        ], key: key)
      return ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
    }
    let host = "api-eu.vonage.com"
    func swap(_ scope: String) throws -> Headers {
      let started = try form(
        "/oauth2/bc-authorize",
        "login_hint=\(swapped)&scope=dpv%3AFraudPreventionAndDetection%23\(scope)", application(), host: host)
      let request = try camara.fields(of: started).string("auth_req_id")
      return try token(
        form(
          "/oauth2/token", "auth_req_id=\(request)&grant_type=urn%3Aopenid%3Aparams%3Agrant-type%3Aciba",
          application(), host: host))
    }
    let access = try swap("check-sim-swap")
    for number in ["+12025550102", "12025550102"] {
      let answer = try json(
        "/camara/sim-swap/v040/check", #"{"phoneNumber":"\#(number)","maxAge":73}"#, access, host: host)
      #expect(answer.answer == #"200 {"swapped":true}"#)
    }
    let other = try json(
      "/camara/sim-swap/v040/check", #"{"phoneNumber":"+12025550100"}"#, access, host: host)
    #expect(try camara.error(other) == "422 UNNECESSARY_IDENTIFIER")
    for headers in [
      try application(lifetime: 0), try application(key: camara.sandbox.keys[.webhooks]?.privatePEM),
    ] {
      let refused = try form("/oauth2/bc-authorize", "login_hint=\(swapped)", headers, host: host)
      #expect(try camara.oauthError(refused) == "401 invalid_client")
    }

    let scope = "openid%20dpv%3AFraudPreventionAndDetection%23number-verification-verify-read"
    let query =
      "client_id=\(id)&redirect_uri=\(PercentCoding.encode(CAMARAWorld.redirect))&response_type=code"
      + "&scope=\(scope)&state=s&login_hint=%2B12025550100"
    let code = try code(query)
    let verified = try json(
      "/camara/number-verification/v031/verify", #"{"phoneNumber":"12025550100"}"#,
      token(
        form(
          "/oauth2/token", "code=\(code)&redirect_uri=whatever&grant_type=authorization_code", application(),
          host: host)), host: host)
    #expect(verified.answer == #"200 {"devicePhoneNumberVerified":true}"#)
  }

  @Test("C7: an unknown key, which an open sandbox accepts, does not get the secret of a client")
  func unknownKey() throws {
    camara.sandbox.acceptsUnknownAccounts = true

    let answer = try camara.open(
      "/camara/oauth2/v1/auth/clientcredentials", as: nil, headers: ["x-rapidapi-key": "any"])

    #expect(answer.answer == #"200 {"client_id":"\#(id)","client_secret":"any"}"#)
  }

  @Test(
    "a purpose is separated from the scope that is joined to it",
    arguments: [
      ("dpv:A#check-sim-swap", "dpv:A sim-swap:check"),
      ("dpv:A:number-verification", "dpv:A number-verification:verify"),
      ("openid dpv:A sim-swap:check", "openid dpv:A sim-swap:check"), ("kyc-match", "kyc-match:match"),
      ("dpv:", "dpv:"),
    ])
  func separated(text: String, words: String) { #expect(Dialects.scope(text) == words) }
}
