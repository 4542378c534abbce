import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · back end", .contract("camara.md 3.5"))
struct CAMARABackEndTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private func id(_ started: Exchange) throws -> String {
    try camara.fields(of: started).string("auth_req_id")
  }

  @Test("M11: with consent, the first poll has the token")
  func granted() throws {
    let started = try camara.backchannel("tel:\(CAMARAWorld.a)")
    started.matches(golden: "started")
    let fields = try camara.fields(of: started)
    #expect(try fields.int("expires_in") == 120 && fields.int("interval") == 2)

    let answer = try camara.poll(id(started))
    answer.matches(golden: "polled")
    let token = try camara.fields(of: answer).string("access_token")
    #expect(try camara.call("/sim-swap/v2/check", "{}", token: token).answer == #"200 {"swapped":false}"#)
    #expect(try camara.oauthError(camara.poll(id(started))) == "400 invalid_grant")
  }

  @Test("M12: without consent, the subscriber decides on the handset")
  func asked() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    let request = try id(camara.backchannel("tel:\(CAMARAWorld.a)"))

    #expect(try camara.oauthError(camara.poll(request)) == "400 authorization_pending")
    #expect(try camara.oauthError(camara.poll(request)) == "400 slow_down")
    let inbox = try camara.world.send(.to("/control/inbox/\(CAMARAWorld.a)/latest")).answer
    #expect(inbox.contains("sandbox-app asks for data about your line, for FraudPreventionAndDetection"))
    let approved = try camara.world.send(.to("/control/devices/\(CAMARAWorld.a)/approve", .post))
    #expect(approved.answer.hasPrefix("200"))
    try camara.advance("7s")
    #expect(try camara.poll(request).answer.hasPrefix("200"))
    #expect(try camara.poll(id(camara.backchannel("tel:\(CAMARAWorld.a)"))).answer.hasPrefix("200"))
  }

  @Test("M12: the record's reaction answers, and a denial stays one")
  func denied() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"},"pushes":"deny"}"#)
    let request = try id(camara.backchannel("tel:\(CAMARAWorld.a)"))
    #expect(try camara.oauthError(camara.poll(request)) == "400 access_denied")
    try camara.subscriber(CAMARAWorld.b, #"{"consent":{"*":"denied"}}"#)
    let other = try id(camara.backchannel("tel:\(CAMARAWorld.b)"))
    #expect(try camara.oauthError(camara.poll(other)) == "400 access_denied")
  }

  @Test("M13: requests that start nothing, and ids that are not the client's")
  func refused() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    let nobody = try camara.backchannel("tel:+12025550132")
    nobody.matches(golden: "nobody")

    #expect(try camara.oauthError(nobody) == "400 unknown_user_id")
    #expect(try camara.oauthError(camara.backchannel(nil)) == "400 invalid_request")
    #expect(
      try camara.oauthError(camara.backchannel("tel:\(CAMARAWorld.a)", [("id_token_hint", "x")]))
        == "400 invalid_request")
    for hint in [
      "+12025550100", "tel:2025550100", "mail:a@b", "ipport:1.2.3", "ipport:1.2.3.4:x", "operatortoken:",
    ] {
      #expect(try camara.oauthError(camara.backchannel(hint)) == "400 invalid_request", "\(hint)")
    }
    #expect(
      try camara.oauthError(camara.backchannel("tel:\(CAMARAWorld.a)", scope: "openid sim-swap:check"))
        == "400 invalid_scope")
    let signed = "\(CAMARAWorld.purpose) sim-swap:check"
    #expect(
      try camara.oauthError(
        camara.backchannel("tel:\(CAMARAWorld.a)", [("claims", "{}")], scope: signed))
        == "400 invalid_request")
    let request = try id(camara.backchannel("tel:\(CAMARAWorld.a)"))
    try camara.load(#"{"clients":[{"clientId":"other-app"}]}"#)
    let other = CAMARAWorld(of: camara.world, clientID: "other-app")
    #expect(try other.oauthError(other.poll(request)) == "400 invalid_grant")
    try camara.advance("121s")
    #expect(try camara.oauthError(camara.poll(request)) == "400 expired_token")
    #expect(try camara.oauthError(camara.poll("nothing")) == "400 invalid_grant")
  }

  @Test("M14: a public address and its port name a subscriber")
  func address() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"session":{"natIp":"80.90.34.2","natPort":16790}}"#)
    func token(_ hint: String) throws -> Exchange { try camara.poll(id(camara.backchannel(hint))) }

    #expect(try token("ipport:80.90.34.2").answer.hasPrefix("200"))
    try camara.subscriber(CAMARAWorld.b, #"{"session":{"natIp":"80.90.34.2","natPort":16791}}"#)
    let access = try camara.fields(of: token("ipport:80.90.34.2:16790")).string("access_token")
    #expect(try AccessToken.find(access, in: camara.sandbox)?.number?.description == CAMARAWorld.a)
    for hint in [
      "ipport:80.90.34.2", "ipport:80.90.34.2:1", "ipport:[2001:db8::1]:8080", "ipport:[2001:db8::1]",
    ] {
      #expect(try camara.oauthError(camara.backchannel(hint)) == "400 unknown_user_id", "\(hint)")
    }
  }

  @Test("46 C6: an IPv6 address names the session of its network, with or without a port")
  func addressOfSixteenBytes() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"session":{"ipv6":"2001:db8:0:1:0:0:0:7"}}"#)
    for hint in ["ipport:[2001:db8:0:1::7]", "ipport:[2001:DB8:0:1::9]:8080"] {
      let answer = try camara.poll(id(camara.backchannel(hint)))
      let access = try camara.fields(of: answer).string("access_token")
      #expect(try AccessToken.find(access, in: camara.sandbox)?.number?.description == CAMARAWorld.a)
    }
    #expect(try camara.oauthError(camara.backchannel("ipport:[2001:db8:0:2::7]")) == "400 unknown_user_id")
  }

  @Test("M15: an assertion about a number becomes a short-lived token")
  func bearer() throws {
    let answer = try camara.bearer(camara.bearerAssertion(subject: "tel:\(CAMARAWorld.a)"))
    answer.matches(golden: "assertion")
    let fields = try camara.fields(of: answer)
    #expect(!fields.has("refresh_token") && !fields.has("id_token"))
    #expect(try fields.int("expires_in") <= 300)
  }

  @Test("M16: assertions that are not valid")
  func refusedBearer() throws {
    let subject = "tel:\(CAMARAWorld.a)"
    func error(_ assertion: String, _ more: [(String, String?)] = []) throws -> String {
      try camara.oauthError(camara.bearer(assertion, more))
    }
    #expect(
      try error(camara.bearerAssertion(subject: subject), [("scope", "sim-swap:check")])
        == "400 invalid_request")
    #expect(
      try error(camara.bearerAssertion(subject: subject, lifetime: 1, issuedAgo: 300)) == "400 invalid_grant")
    #expect(try error(camara.bearerAssertion(subject: "ipport:80.90.34.2")) == "400 invalid_grant")
    #expect(try error(camara.bearerAssertion(subject: "tel:+12025550132")) == "400 invalid_grant")
    #expect(
      try error(camara.bearerAssertion(subject: subject, scope: "openid sim-swap:check"))
        == "400 invalid_scope")
    let once = try camara.bearerAssertion(subject: subject)
    #expect(try camara.bearer(once).answer.hasPrefix("200"))
    #expect(try error(once) == "400 invalid_grant")
    #expect(try error("a.b.c") == "400 invalid_grant")
    #expect(try error(once + "A") == "401 invalid_client")
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"\#(CAMARAWorld.purpose)":"denied"}}"#)
    #expect(try error(camara.bearerAssertion(subject: subject)) == "400 invalid_grant")
  }

  @Test("M17: a SIM token is valid once, for its card")
  func simToken() throws {
    let token = try camara.simToken(CAMARAWorld.a)
    func use(_ token: String) throws -> Exchange {
      try camara.bearer(camara.bearerAssertion(subject: "operatortoken:\(token)"))
    }
    #expect(try use(token).answer.hasPrefix("200"))
    #expect(try camara.oauthError(use(token)) == "400 invalid_grant")
    let earlier = try camara.simToken(CAMARAWorld.a)
    _ = try camara.world.send(
      .json(.post, "/control/subscribers/\(CAMARAWorld.a)/events", #"{"event":"simSwap"}"#))
    #expect(try camara.oauthError(use(earlier)) == "400 invalid_grant")
  }
}
