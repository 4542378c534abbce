import Domain
import HTTP
import Support
import Testing

@Suite("Twilio · headers and dates", .contract("twilio-verify.md 2.2, 2.4"))
struct HeaderTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  /// A request for each kind of response: success, empty, error, wrong method, not emulated, unknown.
  static let requests: [(HTTP.Method, String)] = [
    (.get, "/v2/Services"), (.delete, "/v2/Services/\(TwilioWorld.service)"), (.get, "/v2/Services/VA1"),
    (.put, "/v2/Services"), (.get, "/v2/Templates"), (.get, "/twilio/v3"), (.post, TwilioWorld.verifications),
  ]

  @Test("every response has the common headers", arguments: requests)
  func headers(method: HTTP.Method, path: String) throws {
    let exchange = try twilio.send(.to(path, method, headers: TwilioWorld.credentials))

    let headers = exchange.headers
    #expect(headers.values("Date") == ["Mon, 05 Jan 2026 10:20:30 GMT"])
    #expect(headers["Content-Type"] == (exchange.answer == "204" ? nil : "application/json; charset=utf-8"))
    #expect(headers["Twilio-Request-Id"]?.wholeMatch(of: #/RQ[0-9a-f]{32}/#) != nil)
    #expect(headers["Access-Control-Allow-Origin"] == "*")
    for name: StaticString in [
      "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Access-Control-Allow-Credentials",
      "Access-Control-Expose-Headers",
    ] {
      #expect(headers.values(name).count == 1, "\(name)")
    }
  }

  @Test("request ids are unique")
  func requestIds() throws {
    let ids = try (0..<50).map { _ in try twilio.get("/v2/Services").headers["Twilio-Request-Id"] }

    #expect(Set(ids).count == 50)
  }

  @Test("the date header follows the sandbox's clock")
  func date() throws {
    try twilio.advance(86_400)

    #expect(try twilio.get("/v2/Services").headers["Date"] == "Tue, 06 Jan 2026 10:20:30 GMT")
  }

  @Test("dates have seconds and a capital Z, and attempts have milliseconds")
  func dates() throws {
    _ = try twilio.started()
    try twilio.sandbox.atomically { try twilio.sandbox.advance(by: .milliseconds(1_412)) }

    let verification = try twilio.started()

    #expect(verification.createdAt == "2026-01-05T10:20:30Z")
    #expect(verification.updatedAt == "2026-01-05T10:20:31Z")
    #expect(verification.attempts.map(\.time) == ["2026-01-05T10:20:30.000Z", "2026-01-05T10:20:31.412Z"])
  }

  @Test(
    "the Accept header has no effect", .contract("twilio-verify.md 1.3"),
    arguments: ["application/x-www-form-urlencoded", "text/html", "*/*"])
  func accept(type: String) throws {
    var headers = TwilioWorld.credentials
    headers.add("Accept", type)
    headers.add("Accept-Encoding", "utf-8")
    headers.add("Content-Type", "application/x-www-form-urlencoded")

    let exchange = try twilio.send(.to("/v2/Services", headers: headers))

    #expect(exchange.headers["Content-Type"] == "application/json; charset=utf-8")
    #expect(try exchange.decode(ServicePage.self).names == ["Sandbox Service"])
  }

  @Test("the OpenAPI document detects deviating responses")
  func document() throws {
    let document = OpenAPIDocument.twilioVerify

    let wrong = document.disagreements(
      method: "GET", path: "/v2/Services/VA1", status: 200, body: Array(#"{"sid":"VA1","stranger":1}"#.utf8))

    #expect(document.all.count == 57)
    #expect(wrong.count == 3)
  }
}
