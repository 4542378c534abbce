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
    #expect(
      try error(retrieve(CAMARAWorld.a, capture: true, #","callbackUrl":"nothing""#))
        == "400 INVALID_ARGUMENT")
    #expect(try error(retrieve(scopes: "[]")) == "400 INVALID_ARGUMENT")
    #expect(try error(retrieve("+12025550132")) == "404 IDENTIFIER_NOT_FOUND")
    #expect(try error(retrieve("+12025550112")) == "422 SERVICE_NOT_APPLICABLE")
  }
}
