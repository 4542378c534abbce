import Domain
import HTTP
import Support
import Testing

@Suite("Twilio · headers and dates", .contract("twilio-verify.md 2.2, 2.4"))
struct HeaderTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("request ids are unique")
  func requestIds() throws {
    let ids = try (0..<50).map { _ in try twilio.get("/v2/Services").headers["Twilio-Request-Id"] }

    #expect(Set(ids).count == 50)
    #expect(ids.allSatisfy { $0?.wholeMatch(of: #/RQ[0-9a-f]{32}/#) != nil })
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
