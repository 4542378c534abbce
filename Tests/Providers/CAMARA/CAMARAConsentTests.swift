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

  private func retrieve(
    _ number: String = CAMARAWorld.a, capture: Bool = true, _ more: String = "",
    scopes: String = #"["sim-swap:check"]"#
  ) throws -> Exchange {
    try camara.call(
      "/consent-info/v0.2/retrieve",
      #"{"phoneNumber":"\#(number)","scopes":\#(scopes),"purpose":"dpv:FraudPreventionAndDetection","requestCaptureUrl":\#(capture)\#(more)}"#,
      token: camara.token("consent-info:retrieve"))
  }

  private func status(_ exchange: Exchange) throws -> String {
    let fields = try camara.fields(of: exchange)
    let info = try #require(fields.objects("statusInfo").first)
    let reason = try info.optionalString("statusReason") ?? "-"
    return "\(try info.bool("statusValidForProcessing")) \(reason) \(fields.has("captureUrl"))"
  }

  private func path(_ exchange: Exchange) throws -> String {
    String(try camara.fields(of: exchange).string("captureUrl").dropFirst("http://127.0.0.1:5550".count))
  }

  @Test("M57: unknown is pending with a URL, denied has none, granted needs no reason")
  func statuses() throws {
    #expect(try status(retrieve()) == "true - false")
    retrieveGolden(try retrieve(), "granted")
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"denied"}}"#)
    #expect(try status(retrieve()) == "false DENIED false")
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    #expect(try status(retrieve(capture: false)) == "false PENDING false")
    let pending = try retrieve()
    #expect(try status(pending) == "false PENDING true")
    retrieveGolden(pending, "pending")
  }

  private func retrieveGolden(_ exchange: Exchange, _ name: String) { exchange.matches(golden: name) }

  @Test("the capture page ends at the client's URL, with its state")
  func capture() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    let path = try path(retrieve(CAMARAWorld.a, capture: true, #","callbackUrl":"myapp://done?a=1""#))
    let page = try camara.open("\(path)?state=s%201", as: nil)
    page.matches(golden: "page")
    #expect(try status(retrieve()) == "false REQUESTED true")

    try camara.post(path.replacing("/camara", with: "", maxReplacements: 1), [("decision", "no")])
      .matches(golden: "no-decision")
    let done = try camara.post(
      path.replacing("/camara", with: "", maxReplacements: 1) + "?state=s%201", [("decision", "allow")])
    done.matches(golden: "allowed")
    #expect(done.headers["Location"] == "myapp://done?a=1&capture_result=granted&state=s%201")
    #expect(try status(retrieve()) == "true - false")
    try camara.open(path, as: nil).matches(golden: "over")
  }

  @Test("a page that is opened too late ends with a timeout, and one may refuse")
  func ends() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    let callback = #","callbackUrl":"http://localhost:8080/done""#
    let late = try path(retrieve(CAMARAWorld.a, capture: true, callback))
    try camara.advance("600s")
    let timeout = try camara.open(late, as: nil)
    #expect(timeout.headers["Location"] == "http://localhost:8080/done?capture_result=timeout")
    let refused = try path(retrieve(CAMARAWorld.a, capture: true, callback))
    let done = try camara.post(
      refused.replacing("/camara", with: "", maxReplacements: 1), [("decision", "deny")])
    #expect(done.headers["Location"] == "http://localhost:8080/done?capture_result=denied")
    #expect(try status(retrieve()) == "false DENIED false")
  }

  private static let two = #"["sim-swap:check","device-swap:check"]"#

  /// Each item of the answer: its scopes, and its reason.
  private func items(_ scopes: String) throws -> [String] {
    try camara.fields(of: retrieve(scopes: scopes)).objects("statusInfo").map {
      "\(try $0.strings("scopes").joined(separator: " ")): \(try $0.optionalString("statusReason") ?? "valid")"
    }
  }

  private func decide(_ exchange: Exchange, _ fields: [(String, String?)]) throws -> Exchange {
    try camara.post(path(exchange).replacing("/camara", with: "", maxReplacements: 1), fields)
  }

  @Test("a person may choose some of the scopes; then APIs of the others refuse")
  func partialGrant() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    let question = try retrieve(
      CAMARAWorld.a, capture: true, #","callbackUrl":"http://localhost:8080/done""#, scopes: Self.two)
    try camara.open(path(question), as: nil).matches(golden: "choice")
    let unknown = try decide(question, [("decision", "allow"), ("scope", "kyc-match:match")])
    unknown.matches(golden: "unknown-scope")
    let done = try decide(question, [("decision", "allow"), ("scope", "sim-swap:check")])

    done.matches(golden: "partial")
    #expect(unknown.answer.hasPrefix("400"))
    #expect(done.headers["Location"] == "http://localhost:8080/done?capture_result=partial_grant")
    #expect(try items(Self.two) == ["sim-swap:check: valid", "device-swap:check: DENIED"])
    try retrieve(scopes: Self.two).matches(golden: "partial")
    #expect(try items(#"["number-recycling:check"]"#) == ["number-recycling:check: PENDING"])
    #expect(try camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a).answer.hasPrefix("200"))
    #expect(
      try camara.error(camara.ask("/device-swap/v1/check", as: CAMARAWorld.a)) == "403 PERMISSION_DENIED")
  }

  @Test("whoever allows without a choice has denied all; whoever chooses all has granted it")
  func allOrNothing() throws {
    func result(_ fields: [(String, String?)]) throws -> String? {
      try camara.subscriber(
        CAMARAWorld.a, #"{"consent":{"*":"unknown","\#(CAMARAWorld.purpose)":"unknown"}}"#)
      let question = try retrieve(
        CAMARAWorld.a, capture: true, #","callbackUrl":"http://localhost:8080/done""#, scopes: Self.two)
      return try decide(question, fields).headers["Location"]?.split(separator: "=").last.map(String.init)
    }
    let all = [("decision", "allow"), ("scope", "sim-swap:check"), ("scope", "device-swap:check")]

    #expect(try result([("decision", "allow")]) == "denied")
    #expect(try items(Self.two) == ["sim-swap:check device-swap:check: DENIED"])
    #expect(try result(all) == "granted")
    #expect(try items(Self.two) == ["sim-swap:check device-swap:check: valid"])
  }

  @Test("a consent with an end expires, and can be given again")
  func expires() throws {
    try camara.configure(#""consentValidity":86400"#)
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    _ = try decide(retrieve(), [("decision", "allow")])
    let valid = try retrieve()
    let token = try camara.j3("tel:\(CAMARAWorld.a)", scope: "sim-swap:check")
    try camara.advance(86_400 - 60)
    #expect(try status(retrieve()) == "true - false")
    try camara.advance(60)
    let expired = try retrieve()

    valid.matches(golden: "valid-until")
    expired.matches(golden: "expired")
    #expect(valid.answer.contains(#""expirationDate":"2026-01-06T10:20:30.000Z""#))
    #expect(expired.answer.contains(#""expirationDate":"2026-01-06T10:20:30.000Z""#))
    #expect(try status(expired) == "false EXPIRED true")
    #expect(try camara.error(camara.call("/sim-swap/v2/check", "{}", token: token)) == "401 UNAUTHENTICATED")
    #expect(
      try camara.error(camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a)) == "403 PERMISSION_DENIED")
    _ = try decide(expired, [("decision", "allow")])
    #expect(try status(retrieve()) == "true - false")
    try camara.advance(86_400)
    #expect(try status(retrieve()) == "false EXPIRED true")
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"\#(CAMARAWorld.purpose)":"granted"}}"#)
    #expect(try !retrieve().answer.contains("expirationDate"))
  }

  @Test("a purpose that needs no consent can be objected to")
  func objected() throws {
    try camara.configure(#""optOutPurposes":["FraudPreventionAndDetection"]"#)
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    #expect(try status(retrieve()) == "true - false")
    #expect(try camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a).answer.hasPrefix("200"))
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"denied"}}"#)
    let objected = try retrieve()

    objected.matches(golden: "objected")
    #expect(try status(objected) == "false OBJECTED false")
    #expect(
      try camara.error(camara.ask("/sim-swap/v2/check", as: CAMARAWorld.a)) == "403 PERMISSION_DENIED")
  }

  @Test("an operator may limit how often a subscriber is asked")
  func captureLimit() throws {
    try camara.configure(#""captureLimit":2"#)
    try camara.subscriber(CAMARAWorld.a, #"{"consent":{"*":"unknown"}}"#)
    _ = try retrieve()
    _ = try retrieve(capture: false)
    _ = try retrieve()
    let refused = try retrieve()

    refused.matches(golden: "too-often")
    #expect(try camara.error(refused) == "403 CONSENT_INFO.CAPTURE_FREQUENCY_EXCEEDED")
    #expect(try status(retrieve(capture: false)) == "false PENDING false")
    try camara.advance(86_400)
    #expect(try status(retrieve()) == "false PENDING true")
  }

  @Test("questions that may not be asked")
  func refusals() throws {
    func error(_ exchange: Exchange) throws -> String { try camara.error(exchange) }
    let notAllowed = try retrieve(scopes: #"["payments"]"#)
    notAllowed.matches(golden: "not-allowed")
    #expect(try error(notAllowed) == "403 CONSENT_INFO.NOT_ALLOWED_SCOPES_PURPOSE")
    for url in ["http://example.com/", "javascript:alert(1)", "http:/x"] {
      #expect(
        try error(retrieve(CAMARAWorld.a, capture: true, #","callbackUrl":"\#(url)""#))
          == "403 CONSENT_INFO.INVALID_CALLBACK_URL", "\(url)")
    }
    for url in [#""nothing""#, "null"] {
      #expect(
        try error(retrieve(CAMARAWorld.a, capture: true, #","callbackUrl":\#(url)"#))
          == "400 INVALID_ARGUMENT")
    }
    #expect(try error(retrieve(scopes: "[]")) == "400 INVALID_ARGUMENT")
    #expect(try error(retrieve("+12025550132")) == "404 IDENTIFIER_NOT_FOUND")
    #expect(try error(retrieve("+12025550112")) == "422 SERVICE_NOT_APPLICABLE")
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
