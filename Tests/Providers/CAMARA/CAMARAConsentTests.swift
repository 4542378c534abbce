import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · Consent Info", .contract("camara.md 13"))
struct CAMARAConsentTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private func retrieve() throws -> Exchange {
    try camara.call(
      "/consent-info/v0.2/retrieve",
      #"{"phoneNumber":"+12025550100","scopes":["sim-swap:check"],"#
        + #""purpose":"dpv:FraudPreventionAndDetection","requestCaptureUrl":true}"#,
      token: camara.token("consent-info:retrieve"))
  }

  @Test("a consent with an end expires, with the tokens that it gave")
  func expires() throws {
    try camara.configure(#""consentValidity":86400"#)
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    let url = try camara.fields(of: retrieve()).string("captureUrl")
    _ = try camara.post(
      String(url.dropFirst("http://127.0.0.1:5550/camara".count)), [("decision", "allow")])
    try retrieve().matches(golden: "valid-until")
    let token = try camara.j3("tel:\(CAMARAWorld.a)", scope: "sim-swap:check")
    try camara.advance(86_400 - 60)
    _ = try retrieve()
    try camara.advance(60)

    try retrieve().matches(golden: "expired")
    #expect(try camara.error(camara.call("/sim-swap/v2/check", "{}", token: token)) == "401 UNAUTHENTICATED")
    #expect(
      try camara.error(camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a)) == "403 PERMISSION_DENIED")
  }

  @Test("an objection to a purpose that needs no consent")
  func objected() throws {
    try camara.configure(#""optOutPurposes":["FraudPreventionAndDetection"]"#)
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    #expect(try camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a).answer.hasPrefix("200"))
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"denied"}}"#)
    #expect(
      try camara.error(camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a)) == "403 PERMISSION_DENIED")
  }

  @Test("46 C5: a long list reads the consent to one subscription in a step")
  func longList() throws {
    let path = "/sim-swap-subscriptions/v0.3/subscriptions"
    let type = "org.camaraproject.sim-swap-subscriptions.v0.swapped"
    let body =
      #"{"protocol":"HTTP","sink":"https://app.example.com/hook","types":["\#(type)"],"#
      + #""config":{"subscriptionDetail":{}}}"#
    let lines = (20...99).map { "+120255501\($0)" }.filter { !["12", "32", "99"].contains($0.suffix(2)) }
    var created = 0
    for line in lines where try camara.ask(path, body, as: line).answer.hasPrefix("201") { created += 1 }
    try camara.subscriber("+12025550121", #"{"consent":{"*":"denied"}}"#)
    let request = Request(
      .get, Target(path),
      headers: ["Host": "127.0.0.1", "Authorization": "Bearer \(try camara.token())", "x-correlator": "c"])

    guard case .streamed(let response, let pieces) = camara.world.reply(to: request) else {
      Issue.record("a list at once")
      return
    }
    var list: [UInt8] = []
    while case .bytes(let piece) = try pieces.next(size: 1) {
      // What is there at the beginning was made while the turn was short.
      if !list.isEmpty { #expect(piece.count < 500) }
      list += piece
    }
    #expect(response.headers["x-correlator"] == "c" && response.headers["Cache-Control"] == "no-store")
    let statuses = try Fields(Array(#"{"all":"#.utf8) + list + Array("}".utf8)).objects("all")
      .map { try $0.string("status") }
    #expect(statuses.count == created && created > 66 && statuses.filter { $0 == "INACTIVE" }.count == 1)
  }
}
