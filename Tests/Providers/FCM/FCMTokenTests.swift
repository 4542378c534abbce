import Crypto
import Domain
import HTTP
import ProviderKit
import Support
import Testing

@testable import FCM

@Suite("FCM · access tokens", .contract("push-gateway.md 1.4"))
struct FCMTokenTests {
  @Test("a service account signs in under Google's host, and nobody has that path elsewhere")
  func issued() throws {
    let fcm = try FCMWorld()

    try fcm.ask().matches(golden: "issued")
    #expect(try fcm.ask(host: "127.0.0.1:5550").answer.hasPrefix("404 "))
  }

  @Test("a signature of another key is refused, be the sandbox open", arguments: [true, false])
  func wrongSignature(isOpen: Bool) throws {
    let fcm = try FCMWorld(isOpen: isOpen)
    let forged = FCMWorld.assertion.dropLast(4) + "AAAA"

    try fcm.ask(assertion: String(forged)).matches(golden: "wrong-signature")
  }

  @Test(
    "what is no request for a token is refused in OAuth's words",
    arguments: [
      (nil, nil, "Required parameter is missing: grant_type"),
      ("", "x", "Required parameter is missing: grant_type"),
      ("refresh_token", "x", "Invalid grant_type: refresh_token"),
      ("jwt", nil, "Required parameter is missing: assertion"),
    ] as [(String?, String?, String)])
  func incomplete(grant: String?, assertion: String?, text: String) throws {
    let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    let refused = try FCMWorld().ask(grant: grant == "jwt" ? bearer : grant, assertion: assertion)

    #expect(refused.answer.hasPrefix("400 ") && refused.answer.contains(#""error_description":"\#(text)""#))
  }

  @Test(
    "an assertion that cannot be read is refused",
    arguments: ["x", "a.b", "..", "e30.e30.e30", "a.b.c.d", "e30.e30.e30=", "!!!.e30.e30"])
  func malformed(assertion: String) throws {
    let refused = try FCMWorld(isOpen: true).ask(assertion: assertion)

    #expect(
      refused.answer
        == #"400 {"error":"invalid_grant","error_description":"Invalid JWT: Failed to parse the assertion."}"#
    )
  }

  @Test(
    "an assertion of no time that can be meant is refused",
    arguments: [(Int.min, Int.max), (-1, 5), (1, 1 << 39)])
  func impossibleTimes(issuedAt: Int, expiresAt: Int) throws {
    let claims = #"{"iss":"a@b.example","iat":\#(issuedAt),"exp":\#(expiresAt)}"#
    let parts = [#"{"alg":"RS256"}"#, claims, "s"].map { Base64.encodeForURL(Array($0.utf8)) }

    let refused = try FCMWorld(isOpen: true).ask(assertion: parts.joined(separator: "."))

    #expect(refused.answer.hasPrefix("400 ") && refused.answer.contains("Failed to parse the assertion"))
  }

  @Test("a clock that was moved judges nothing but the span")
  func movedClock() throws {
    let fcm = try FCMWorld()
    _ = try fcm.world.send(.json(.post, "/control/clock", #"{"advance":"30d"}"#))

    #expect(try fcm.ask().answer.hasPrefix("200 "))
  }

  @Test("a clock that runs judges the time of an assertion, with a few minutes to spare")
  func runningClock() throws {
    let assertion = try FCM.Assertion(FCMWorld.assertion)
    func judge(_ seconds: Int) throws {
      try assertion.judgeTimes(
        by: SandboxClock(mode: .real) { TestSandbox.start + .seconds(seconds) })
    }

    try judge(-300)
    try judge(3900)
    #expect(throws: OAuthProblem.self) { try judge(-301) }
    #expect(throws: OAuthProblem.self) { try judge(3901) }
  }

  @Test("a token leads back to its project, its time and its scope, and another text to nothing")
  func reading() throws {
    let sandbox = try FCMWorld().sandbox
    for maySend in [true, false] {
      let token = FCM.AccessToken(for: "a-project", maySend: maySend, in: sandbox)
      let text = token.text(in: sandbox)

      #expect(AccessToken(text, in: sandbox) == token)
      #expect(AccessToken.project(of: text) == "a-project")
      #expect(AccessToken(String(text.dropLast()), in: sandbox) == nil)
      #expect(AccessToken(text + "_a", in: sandbox) == nil)
    }
    for text in ["", "sbx_oauth_", "sbx_oauth_a_b", "ya29.a", "sbx_oauth_a"] {
      #expect(AccessToken(text, in: sandbox) == nil)
    }
  }

  @Test("a token is another sandbox's, and ends when its time is over")
  func elsewhere() throws {
    let fcm = try FCMWorld()
    let token = try fcm.token()
    _ = try fcm.world.send(.json(.post, "/control/sandboxes", #"{"name":"ci","entropySeed":2}"#))
    let path = "/s/ci/v1/projects/\(FCMWorld.project)/messages:send"

    #expect(try fcm.call(.post, path, #"{"message":{"token":"a"}}"#, token: token).answer.hasPrefix("401 "))
    #expect(try fcm.send(#"{"token":"a"}"#, token: token).answer.hasPrefix("200 "))
    _ = try fcm.world.send(.json(.post, "/control/clock", #"{"advance":"1h"}"#))
    try fcm.send(#"{"token":"a"}"#, token: token).matches(golden: "expired-token")
  }
}
