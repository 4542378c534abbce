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
}

extension Exchange {
  fileprivate var fields: Fields { get throws { try Fields(Array(answer.utf8.dropFirst(4))) } }

  /// Path and query of the link to the next page; nil on the last one.
  fileprivate var nextPage: String? {
    get throws {
      let link = try fields.object("meta").optionalString("next_page_url")
      return try link.map { "/v2" + (try #require($0.split(separator: "/v2", maxSplits: 1).last)) }
    }
  }
}
