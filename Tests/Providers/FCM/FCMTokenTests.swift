import Basics
import Domain
import HTTP
import ProviderKit
import Support
import Testing

@testable import FCM

@Suite("FCM · access tokens", .contract("push-gateway.md 1.4"))
struct FCMTokenTests {
  @Test("a service account signs in under Google's host only")
  func issued() throws {
    let fcm = try FCMWorld()

    try fcm.ask().matches(golden: "issued")
    #expect(try fcm.ask(host: "127.0.0.1:5550").owner != FCMProvider.name)
  }

  /// An assertion with this audience, in JSON, signed with the sandbox's key of service accounts.
  private func assertion(audience: String, in fcm: FCMWorld) throws -> String {
    let now = TestSandbox.start.unixSeconds
    let claims = #"""
      {"iss":"firebase-adminsdk@ringfence-sandbox.iam.gserviceaccount.com","iat":\#(now),"exp":\#(now + 60),\#
      "scope":"https://www.googleapis.com/auth/firebase.messaging","aud":\#(audience)}
      """#
    let key = try #require(try fcm.sandbox.keys[.accounts])
    return try JSONWebToken.sign(
      Array(claims.utf8), header: Array(#"{"alg":"RS256"}"#.utf8), rs256Key: key, in: fcm.sandbox)
  }

  @Test(
    "46 A3, GT1 and GT2: Google's older addresses issue tokens, for an audience of any of them",
    arguments: [
      ("oauth2.googleapis.com", "/token"), ("www.googleapis.com", "/oauth2/v4/token"),
      ("www.googleapis.com", "/oauth2/v3/token"), ("accounts.google.com", "/o/oauth2/token"),
    ])
  func olderAddresses(host: String, path: String) throws {
    let fcm = try FCMWorld()
    for (host, path) in [(host, path), ("oauth2.googleapis.com", "/token")] {
      let assertion = try assertion(audience: #""https://\#(host)\#(path)""#, in: fcm)
      #expect(try fcm.ask(assertion: assertion, host: host, path: path).answer.hasPrefix("200 "))
    }
    #expect(try fcm.ask(host: host, path: path).route == "createToken")
  }

  @Test(
    "46 A3, GT3: an audience of another site is refused",
    arguments: [
      #""https://example.com/token""#, #""https://www.googleapis.com/drive/v3""#,
      #"["https://example.com/token"]"#, "7",
    ])
  func foreignAudience(audience: String) throws {
    let fcm = try FCMWorld()

    let refused = try fcm.ask(assertion: assertion(audience: audience, in: fcm))

    #expect(
      refused.answer
        == #"400 {"error":"invalid_grant","error_description":"Invalid JWT: Failed audience check."}"#)
    #expect(refused.why?.hasPrefix("$.aud: expected https://oauth2.googleapis.com/token; found ") == true)
  }

  @Test("a wrong signature is rejected in open and strict sandboxes", arguments: [true, false])
  func wrongSignature(isOpen: Bool) throws {
    let fcm = try FCMWorld(isOpen: isOpen)
    let forged = FCMWorld.assertion.dropLast(4) + "AAAA"

    try fcm.ask(assertion: String(forged)).matches(golden: "wrong-signature")
  }

  @Test("with the real clock, an assertion's times are checked with a few minutes of leeway")
  func runningClock() throws {
    let assertion = try Assertion(FCMWorld.assertion)
    func validate(_ seconds: Int) throws {
      try assertion.validateTimes(
        SandboxClock(mode: .real) { TestSandbox.start + .seconds(seconds) })
    }

    try validate(-300)
    try validate(3900)
    #expect(throws: OAuthError.self) { try validate(-301) }
    #expect(throws: OAuthError.self) { try validate(3901) }
  }

  @Test("an access token holds its project, time and scope")
  func reading() throws {
    let sandbox = try FCMWorld().sandbox
    for canSend in [true, false] {
      let token = AccessToken(for: "a-project", canSend: canSend, in: sandbox)
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

  @Test("an access token is for one sandbox, and expires")
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
