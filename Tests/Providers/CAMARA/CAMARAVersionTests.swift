import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · 46 C8: older versions", .contract("camara.md 1.1"))
struct CAMARAVersionTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private func call(
    _ path: String, _ body: String, as number: String? = nil, headers: Headers = [:]
  ) throws -> Exchange {
    try camara.call(path, body, token: camara.token(for: number), headers: headers)
  }

  private func error(_ path: String, _ body: String, as number: String? = nil) throws -> String {
    try camara.error(call(path, body, as: number))
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
