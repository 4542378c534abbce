import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · 46 C8: older versions", .contract("camara.md 1.1"))
struct CAMARAVersionTests {
  let camara: CAMARAWorld
  private let simSwap = "/sim-swap/v1"

  init() throws { camara = try CAMARAWorld() }

  private func call(
    _ path: String, _ body: String, as number: String? = nil, headers: Headers = [:]
  ) throws -> Exchange {
    try camara.call(path, body, token: camara.token(for: number), headers: headers)
  }

  private func error(_ path: String, _ body: String, as number: String? = nil) throws -> String {
    try camara.error(call(path, body, as: number))
  }

  @Test("SIM Swap 1.0.0 has its own codes, and compares a number with that of the token")
  func simSwap1() throws {
    let check = "\(simSwap)/check"
    let own = try call(check, about("+12025550102"), as: "+12025550102")
    let errors = try [
      error(check, about(CAMARAWorld.b), as: CAMARAWorld.a), error(check, "{}"),
      error(check, about("+12025550112")), error(check, about("+12025550132")),
      error(check, about(CAMARAWorld.a, #""maxAge":2401"#)),
    ]
    try camara.configure(#""monitoredPeriod":90"#)

    #expect(own.answer == #"200 {"swapped":true}"#)
    #expect(
      errors == [
        "403 INVALID_TOKEN_CONTEXT", "422 UNIDENTIFIABLE_PHONE_NUMBER", "422 NOT_SUPPORTED", "404 NOT_FOUND",
        "400 INVALID_ARGUMENT",
      ])
    #expect(
      try call("\(simSwap)/retrieve-date", about(CAMARAWorld.a)).answer
        == #"200 {"latestSimChange":null}"#)
    #expect(try error("/sim-swap/v2/check", "{}") == "422 MISSING_IDENTIFIER")
  }

  @Test(
    "each release has its own form of x-correlator and its own text without a token",
    arguments: [
      ("/sim-swap/v1/check", ["a.b", "an old one!"], []),
      ("/device-swap/v0.2/check", ["a-1"], ["a.b", String(repeating: "a", count: 56)]),
      ("/device-swap/v1/check", ["a.b", String(repeating: "a", count: 256)], ["an old one!"]),
    ])
  func releases(path: String, valid: [String], malformed: [String]) throws {
    for text in valid {
      let exchange = try call(path, about(CAMARAWorld.a), headers: ["x-correlator": text])
      #expect(exchange.answer == #"200 {"swapped":false}"# && exchange.headers["x-correlator"] == text)
    }
    for text in malformed {
      let exchange = try call(path, about(CAMARAWorld.a), headers: ["x-correlator": text])
      #expect(
        try camara.error(exchange) == "400 INVALID_ARGUMENT" && exchange.headers["x-correlator"] != text)
    }
    let anonymous = try camara.call(path, about(CAMARAWorld.a), token: nil)
    #expect(
      anonymous.answer.contains("A new authentication is required.") == (path == "/device-swap/v1/check"))
    #expect(try camara.error(anonymous) == "401 UNAUTHENTICATED")
    #expect(anonymous.headers["WWW-Authenticate"] == #"Bearer realm="camara""#)
  }

  @Test("Device Swap 0.2.0 has the operations and codes of 1.0.0")
  func deviceSwap02() throws {
    let path = "/device-swap/v0.2"
    #expect(try call("\(path)/check", about("+12025550160")).answer == #"200 {"swapped":true}"#)
    #expect(
      try call("\(path)/retrieve-date", about("+12025550160")).answer
        == #"200 {"latestDeviceChange":"2026-01-05T09:20:30.000Z"}"#)
    #expect(
      try [
        error("\(path)/check", about(CAMARAWorld.a), as: CAMARAWorld.a), error("\(path)/check", "{}"),
        error("\(path)/check", about("+12025550132")),
        error("\(path)/check", about(CAMARAWorld.a, #""maxAge":2401"#)),
      ] == [
        "422 UNNECESSARY_IDENTIFIER", "422 MISSING_IDENTIFIER", "404 IDENTIFIER_NOT_FOUND",
        "400 OUT_OF_RANGE",
      ])
  }

  @Test("Number Verification 1.0.0 has no pattern for a hash and for x-correlator")
  func numberVerification1() throws {
    let (path, token) = ("/number-verification/v1", try camara.c3(CAMARAWorld.a))
    #expect(
      try camara.call("\(path)/verify", #"{"hashedPhoneNumber":"3301"}"#, token: token).answer
        == #"200 {"devicePhoneNumberVerified":false}"#)
    #expect(
      try camara.call("\(path)/verify", about(CAMARAWorld.a), token: token).answer
        == #"200 {"devicePhoneNumberVerified":true}"#)
    #expect(
      try error("\(path)/verify", about(CAMARAWorld.a))
        == "403 NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK")
    let correlated = try camara.call(
      "\(path)/verify", about(CAMARAWorld.a), token: token, headers: ["x-correlator": "an old one!"])
    #expect(correlated.answer.hasPrefix("200") && correlated.headers["x-correlator"] == "an old one!")
    let both = "number-verification:verify number-verification:device-phone-number:read"
    let shared = try camara.call(
      "\(path)/device-phone-number", "", token: camara.c3(CAMARAWorld.a, scope: both), method: .get)
    #expect(shared.answer == #"200 {"devicePhoneNumber":"+12025550100"}"#)
  }

  @Test("KYC Match 0.3.0 does not know five members of 0.4.0")
  func match03() throws {
    let facts = #""nationality":"GB","cityOfBirth":"Bath""#
    try camara.subscriber(CAMARAWorld.a, #"{"kyc":{"givenName":"Ada",\#(facts)}}"#)
    let body = about(CAMARAWorld.a, #""givenName":"Ada",\#(facts)"#)

    #expect(try call("/kyc-match/v0.3/match", body).answer == #"200 {"givenNameMatch":"true"}"#)
    #expect(try call("/kyc-match/v0.4/match", body).answer.contains("cityOfBirthMatch"))
    #expect(
      try error("/kyc-match/v0.3/match", about(CAMARAWorld.a, facts))
        == "400 KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION")
    #expect(try error("/kyc-match/v0.3/match", body, as: CAMARAWorld.b) == "403 INVALID_TOKEN_CONTEXT")
  }

  @Test(
    "older subscriptions end with subscription-ends, and a sink that is none is an invalid argument",
    arguments: [
      ("sim-swap-subscriptions", "v0.2", "swapped", #""event":"simSwap""#),
      ("device-roaming-status-subscriptions", "v0.7", "roaming-on", #""event":"roam""#),
      ("device-reachability-status-subscriptions", "v0.7", "reachability-disconnected", #""event":"detach""#),
    ])
  func subscriptions(api: String, version: String, event: String, change: String) throws {
    let (path, type) = ("/\(api)/\(version)/subscriptions", "org.camaraproject.\(api).v0.\(event)")
    let body =
      #"{"protocol":"HTTP","sink":"https://app.example.com/hook","types":["\#(type)"],"#
      + #""config":{"subscriptionDetail":{},"subscriptionMaxEvents":1}}"#
    try camara.configure(#""subscriptionLifecycleEvents":"all""#)
    let badSink = try error(path, body.replacing("https://", with: "ftp://"), as: CAMARAWorld.a)
    let created = try call(path, body, as: CAMARAWorld.a)
    let id = try camara.fields(of: created).string("id")
    let token = try camara.token(for: CAMARAWorld.a)
    let fetched = try camara.call("\(path)/\(id)", "", token: token, method: .get)
    try camara.event(CAMARAWorld.a, change)

    #expect(badSink == "400 INVALID_ARGUMENT")
    #expect(created.answer.hasPrefix("201") && fetched.answer.dropFirst(3) == created.answer.dropFirst(3))
    let events = try camara.world.receiver.deliveries.map { try Fields($0.request.body) }
    #expect(
      try events.map { try $0.string("type") } == [type, "org.camaraproject.\(api).v0.subscription-ends"])
    #expect(try events.allSatisfy { try $0.string("source").hasSuffix("/\(api)/\(version)") })
    #expect(try events.first?.object("data").has("phoneNumber") == (event == "swapped"))
    #expect(try camara.call("\(path)/\(id)", "", token: token, method: .delete).answer == "204")
  }
}
