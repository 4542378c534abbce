import HTTP
import JSON
import Numbers
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
    try camara.poll(id(started)).matches(golden: "polled")
  }

  @Test("M13: requests that start nothing, of a client that signs its requests")
  func refused() throws {
    try camara.backchannel("tel:+12025550132").matches(golden: "nobody")
    #expect(try camara.oauthError(camara.backchannel("+12025550100")) == "400 invalid_request")
    #expect(
      try camara.oauthError(camara.backchannel("tel:\(CAMARAWorld.a)", scope: "openid sim-swap:check"))
        == "400 invalid_scope")
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
