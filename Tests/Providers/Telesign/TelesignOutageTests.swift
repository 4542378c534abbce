import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Telesign

@Suite("Telesign · outages", .contract("telesign.md 10.4, 11"))
struct TelesignOutageTests {
  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test(
    "an outage has another code than in other products with the flat format",
    arguments: [
      ("/v1/phoneid/1", -90001, -10000), ("/v1/phoneid", -90001, -10000), ("/v1/score/1", -90001, -10000),
      ("/intelligence/phone", -90001, -10000), ("/v1/messaging", 10000, 10000), ("/v1/voice", 10000, 10000),
      ("/v1/phoneid/live/1", 500, 500),
    ])
  func failures(path: String, failure: Int, overload: Int) throws {
    for (reason, status, code) in [
      (RequestFailure.internalError, 500, failure), (.overload, 503, overload),
      (.fault(status: 500, code: nil), 500, failure), (.fault(status: 503, code: nil), 503, overload),
    ] {
      let response = TelesignProvider.errorResponse(for: reason, to: .to(path), in: telesign.sandbox)
      let body = try Fields(response.body)
      #expect(response.status.code == status)
      #expect(try body.object("status").int("code") == code)
    }
  }
}
