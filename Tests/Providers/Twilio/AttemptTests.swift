import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · attempts", .contract("twilio-verify.md 6"))
struct AttemptTests {
  let twilio: TwilioWorld
  static let attempts = "/v2/Attempts"

  init() throws { twilio = try TwilioWorld() }

  @Test("attempts are listed newest first, fetched by SID, and counted")
  func golden() throws {
    let first = try twilio.started()
    try twilio.advance(2)
    _ = try twilio.started(over: "call")
    _ = try twilio.check(try twilio.code())

    try twilio.get(Self.attempts).matches(golden: "two")
    try twilio.get("\(Self.attempts)/\(first.attempts[0].sid)").matches(golden: "found")
    try twilio.get("\(Self.attempts)/Summary").matches(golden: "half")
    try twilio.get("\(Self.attempts)?Status=maybe").matches(golden: "bad-status")
    try twilio.get("\(Self.attempts)/VL00000000000000000000000000000000").matches(golden: "unknown")
    try twilio.get("\(Self.attempts)/Summary?Country=USA").matches(golden: "bad-country")
  }

  @Test("a search that finds nothing stops at its limit, and the link leads on")
  func searchLimit() throws {
    try twilio.sandbox.atomically {
      for number in 0..<10_100 {
        _ = try twilio.sandbox.verifications.deny(
          Claim(
            provider: "twilio", owner: TwilioWorld.service, destination: "+1202555\(number % 9000 + 1000)"),
          details: ProviderDetails("{}"))
      }
    }
    _ = try twilio.started(to: "+12025550177")
    let path = "\(Self.attempts)?Country=GB"

    let page = try twilio.get(path)
    let next = try #require(try page.nextPage)
    let last = try twilio.get(next)

    #expect(try page.fields.objects("attempts").isEmpty)
    #expect(try last.fields.objects("attempts").isEmpty)
    #expect(try last.nextPage == nil)
    #expect(
      try twilio.get("\(Self.attempts)/Summary").why
        == "counted the attempts of the newest 10000 verifications only")
  }

  @Test("attempts of another account are not shown")
  func otherAccount() throws {
    let stranger = Request.basic("AC" + String(repeating: "5", count: 32), "whatever")
    let service = try twilio.post(TwilioWorld.services, ["FriendlyName": "Theirs"], as: stranger).sid
    let verification = try twilio.post(
      "\(TwilioWorld.services)/\(service)/Verifications", ["To": TwilioWorld.number, "Channel": "sms"],
      as: stranger
    ).decode(VerificationAnswer.self)

    let path = "\(Self.attempts)/\(verification.attempts[0].sid)"
    #expect(try twilio.get(path, as: stranger).answer.hasPrefix("200 "))
    #expect(try twilio.get(path).answer == notFound(path))
    #expect(try twilio.get(Self.attempts).fields.objects("attempts").isEmpty)
  }

  @Test(
    "a call that fails before it rings has failed, without the error of a message",
    arguments: ["undeliverable", "reject", "submitFail:refused"])
  func callBeforeRinging(outcome: String) throws {
    try twilio.seed(#"{"scenarios":[{"outcome":"\#(outcome)"}]}"#)
    _ = try twilio.started(over: "call")
    try twilio.advance(1)

    let answer = try twilio.get(Self.attempts).answer

    #expect(answer.contains(#""call_status":"failed""#))
    #expect(answer.contains(#""error_code":null"#))
  }

  @Test("a scenario's status of such a call is shown, once the carrier has failed")
  func callStatusByName() throws {
    try twilio.seed(#"{"scenarios":[{"outcome":"undeliverable","providerStatus":{"twilio":"canceled"}}]}"#)
    _ = try twilio.started(over: "call")
    let before = try twilio.get(Self.attempts).answer
    try twilio.advance(1)

    #expect(before.contains(#""call_status":"queued""#))
    #expect(try twilio.get(Self.attempts).answer.contains(#""call_status":"canceled""#))
  }

  @Test("a message in two copies is one attempt")
  func copies() throws {
    try twilio.seed(#"{"scenarios":[{"outcome":"duplicate"}]}"#)
    _ = try twilio.started()
    _ = try twilio.started()
    try twilio.advance(1)

    let answer = try twilio.get(Self.attempts).answer

    #expect(answer.split(separator: #""message_status":"delivered""#).count == 3)
  }
}

extension Exchange {
  /// Path and query of the link to the next page; nil on the last one.
  fileprivate var nextPage: String? {
    get throws {
      let link = try fields.object("meta").optionalString("next_page_url")
      return try link.map { "/v2" + (try #require($0.split(separator: "/v2", maxSplits: 1).last)) }
    }
  }
}
