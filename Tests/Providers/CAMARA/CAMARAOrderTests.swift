import HTTP
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · order of checks", .contract("camara.md 2.4"))
struct CAMARAOrderTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let posts = [
    "/sim-swap/v2/check", "/sim-swap/v2/retrieve-date", "/device-swap/v1/check",
    "/device-swap/v1/retrieve-date",
    "/one-time-password-sms/v1/send-code", "/one-time-password-sms/v1/validate-code",
    "/number-recycling/v0.2/check", "/call-forwarding-signal/v0.4/unconditional-call-forwardings",
    "/call-forwarding-signal/v0.4/call-forwardings", "/subscription-status/v0.1/retrive-subscription-status",
    "/subscription-status/v0.1/retrieve-subscription-status", "/kyc-match/v0.4/match",
    "/kyc-tenure/v0.2/check-tenure", "/kyc-age-verification/v0.2/verify",
    "/device-roaming-status/v1/retrieve",
    "/device-reachability-status/v1/retrieve", "/device-identifier/v0.3/retrieve-identifier",
    "/device-identifier/v0.3/retrieve-type", "/device-identifier/v0.3/retrieve-ppid",
    "/sim-swap-subscriptions/v0.3/subscriptions", "/device-roaming-status-subscriptions/v0.8/subscriptions",
    "/device-reachability-status-subscriptions/v0.8/subscriptions",
  ]

  @Test("M19, M20, M22: token, scope and body are checked in this order, in every API", arguments: posts)
  func order(path: String) throws {
    let none = try camara.call(path, "[]", token: nil)
    let narrow = try camara.call(path, "[]", token: camara.token(scopes: ["openid"]))

    none.matches(golden: "without-token")
    #expect(try camara.error(none) == "401 UNAUTHENTICATED")
    #expect(try camara.error(narrow) == "403 PERMISSION_DENIED")
    #expect(try camara.error(camara.ask(path, "[]")) == "400 INVALID_ARGUMENT")
    #expect(try camara.error(camara.ask(path, "")) == "400 INVALID_ARGUMENT")
  }

  @Test("lists of subscriptions need a token too", arguments: posts.filter { $0.hasSuffix("/subscriptions") })
  func lists(path: String) throws {
    let none = try camara.call(path, "", token: nil, method: .get)

    none.matches(golden: "without-token")
    #expect(try camara.error(none) == "401 UNAUTHENTICATED")
    #expect(
      try camara.error(camara.call(path, "", token: camara.token(scopes: ["openid"]), method: .get))
        == "403 PERMISSION_DENIED")
  }
}
