import Domain
import HTTP
import Support
import Testing

@testable import CAMARA

/// The checks sign in with a secret, as clients of aggregators do, for whom three rules are relaxed.
@Suite("CAMARA · tokens of clients that sign their requests", .contract("camara.md 4"))
struct CAMARASubjectTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  @Test(
    "M33, M51: a token of a subscriber allows no number, not even its own",
    arguments: [
      "/sim-swap/v2/check", "/device-swap/v1/check", "/device-swap/v1/retrieve-date",
      "/device-swap/v0.2/check",
      "/sim-swap-subscriptions/v0.3/subscriptions", "/device-roaming-status/v1/retrieve",
    ])
  func ownNumber(path: String) throws {
    let body: String =
      switch path.split(separator: "/")[0] {
      case "device-roaming-status": #"{"device":\#(about(CAMARAWorld.a))}"#
      case "sim-swap-subscriptions":
        #"{"protocol":"HTTP","sink":"https://app.example.com/hook","#
          + #""types":["org.camaraproject.sim-swap-subscriptions.v0.swapped"],"#
          + #""config":{"subscriptionDetail":\#(about(CAMARAWorld.a))}}"#
      default: about(CAMARAWorld.a)
      }

    let exchange = try camara.ask(path, body, as: CAMARAWorld.a)

    #expect(try camara.error(exchange) == "422 UNNECESSARY_IDENTIFIER")
  }

  @Test("M39: a number begins with a plus sign")
  func plus() throws {
    let exchange = try camara.ask(
      "/one-time-password-sms/v1/send-code", about("12025550100", #""message":"{{code}}""#))

    #expect(try camara.error(exchange) == "400 INVALID_ARGUMENT")
  }
}
