import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · device API", .contract("prove.md 6.2"))
struct ProveDeviceTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  private func enter(_ code: String) -> String { #"{"resultType":0,"input":{"otp":"\#(code)"}}"# }

  @Test("a device authenticates once with its token")
  func authenticate() throws {
    let started = try prove.unify()

    try prove.authenticate(started, #"{"platform":"web","features":["otp"]}"#).matches(golden: "otp-start")
    try prove.authenticate(started).matches(golden: "used-token")
  }

  @Test("a token of another kind is no auth token")
  func otherToken() throws {
    let access = try prove.token()

    let answer = try prove.authenticate(.init(correlationID: "", authToken: access, authID: "")).answer
    #expect(answer == #"401 {"code":8002,"message":"not authorized"}"#)
    let auth = try prove.unify().authToken
    #expect(try prove.call(.post, "/v3/unify", "{}", token: auth).answer.hasPrefix("401 "))
  }

  @Test("the present step can be fetched")
  func fetch() throws {
    let started = try prove.waitingForCode()

    try prove.act(started, "", "", .get).matches(golden: "otp-finish")
    let unknown = ProveWorld.Started(correlationID: "", authToken: "", authID: "0d9e0c1c")
    try prove.act(unknown, "", "", .get).matches(golden: "unknown")
  }

  @Test("a code is sent, and entered")
  func otp() throws {
    let started = try prove.unify()
    _ = try prove.authenticate(started)

    try prove.act(started, "otp/finish", enter("1234")).matches(golden: "wrong-step")
    try prove.act(started, "otp/start").matches(golden: "sent")
    try prove.act(started, "otp/start").matches(golden: "wrong-step")
    try prove.act(started, "otp/finish", enter("1234")).matches(golden: "right-code")
  }

  @Test("Mobile Auth learns the number from the network")
  func mobileAuth() throws {
    let started = try prove.unify(nil)
    _ = try prove.authenticate(started, #"{"features":["mobileAuth","otp"],"cellularNumber":"2001004016"}"#)

    try prove.act(started, "mobile-auth", #"{"cellular":true}"#).matches(golden: "passed")
    try prove.act(started, "mobile-auth").matches(golden: "wrong-step")
    #expect(try prove.outcome(started) == "true")
  }

  @Test("a link is sent again, opened, and the browser is redirected")
  func link() throws {
    let started = try prove.unify("2001004014", "desktop", #""finalTargetUrl":"https://example.com/done""#)
    _ = try prove.authenticate(started, #"{"role":"secondary"}"#)

    try prove.act(started, "instant-link/retry", #"{"resultType":1}"#).matches(golden: "wrong-step")
    try prove.act(started, "instant-link/start").matches(golden: "sent")
    try prove.act(started, "instant-link/start").matches(golden: "wrong-step")
    let first = try prove.link()
    try prove.act(started, "instant-link/retry", #"{"resultType":1}"#).matches(golden: "sent-again")
    try prove.open(first).matches(golden: "replaced")
    try prove.open(prove.link()).matches(golden: "opened")
    #expect(try prove.open(prove.link()).answer == "302")
    #expect(try prove.outcome(started) == "true")
  }

  @Test("an app resumes with the URL of its link")
  func finishLink() throws {
    let started = try prove.waitingForClick("mobile", device: #"{"features":["instantLink"]}"#)
    func finish(_ query: String) throws -> Exchange {
      try prove.act(started, "finish-instant-link", #"{"redirectUrl":"https://example.com/done?\#(query)"}"#)
    }

    try finish("asc=maybe&authId=\(started.authID)").matches(golden: "invalid")
    #expect(try finish("asc=true&authId=0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10").answer.hasPrefix("400 "))
    #expect(try finish("asc=true&authId=\(started.authID)").why?.hasPrefix("nobody has opened") == true)
    #expect(try prove.step(finish("asc=false&authId=\(started.authID)")) == "instant_link_wait")
    #expect(
      try prove.open(prove.link()).headers["Location"]
        == "https://example.com/done?asc=true&authId=\(started.authID)")
    #expect(try prove.outcome(started) == "pending")
    try finish("asc=true&authId=\(started.authID)").matches(golden: "finished")
    #expect(try prove.outcome(started) == "true")
  }

  @Test("a device cancels")
  func cancel() throws {
    let started = try prove.waitingForCode()

    try prove.act(started, "cancel").matches(golden: "canceled")
    try prove.act(started, "cancel").matches(golden: "over")
    #expect(try prove.sandbox.verifications.all(of: "prove").map(\.state) == [.canceled])
  }

  @Test("browsers of any origin may call the device API", arguments: ["", "cancel", "otp/start"])
  func preflight(action: String) throws {
    let started = try prove.unify()

    try prove.act(started, action, "", .options).matches(golden: "allowed")
    _ = try prove.world.send(
      .json(.put, "/control/faults", #"{"faults":[{"provider":"prove","status":500}]}"#))
    try prove.act(started, action, "", .options).matches(golden: "fault")
  }

  @Test("browsers can read every error: of a body that is no JSON, and of an injected fault")
  func errorsForBrowsers() throws {
    let started = try prove.unify()
    let malformed = try prove.act(started, "otp/start", "{")
    _ = try prove.world.send(
      .json(.put, "/control/faults", #"{"faults":[{"provider":"prove","status":503}]}"#))
    let fault = try prove.act(started, "otp/start", "{}")

    #expect([malformed, fault].map(\.answer).map { $0.prefix(3) } == ["400", "503"])
    #expect([malformed, fault].map { $0.headers["Access-Control-Allow-Origin"] } == ["*", "*"])
  }
}
