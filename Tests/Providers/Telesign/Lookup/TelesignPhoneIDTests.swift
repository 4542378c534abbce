import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Telesign

@Suite("Telesign · PhoneID", .contract("telesign.md 10"))
struct TelesignPhoneIDTests {
  private static let number = "15558675309"
  private static let pathOfNumber = "/v1/phoneid/\(number)"

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test(
    "an empty body, a form and JSON have the same effect, whatever the content type",
    .contract("telesign.md 3.3, 10.1"))
  func kinds() throws {
    var mistyped = TelesignWorld.basic
    mistyped.add("Content-Type", "application/x-www-form-urlencoded")
    let answers = try [
      telesign.send(.post, Self.pathOfNumber),
      telesign.post(Self.pathOfNumber, form: ["consent": "method"]),
      telesign.send(.post, Self.pathOfNumber, json: #" {"addons":{}}"#),
      telesign.send(.post, Self.pathOfNumber, json: #"{"addons":null}"#, as: mistyped),
    ].map { try $0.withoutReference() }

    #expect(Set(answers).count == 1)
    #expect(answers[0].contains(#""status":{"code":300,"#))
  }

  @Test(
    "an outage has another code than in other products with the flat format",
    .contract("telesign.md 10.4, 11"),
    arguments: [
      (pathOfNumber, -90001, -10000), ("/v1/phoneid", -90001, -10000), ("/v1/score/1", -90001, -10000),
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

extension Exchange {
  /// The body without its reference id, which differs each time.
  fileprivate func withoutReference() throws -> String {
    try #require(answer.contains(#"{"reference_id":""#))
    let rest = answer.dropFirst(answer.prefix(while: { $0 != "{" }).count + 50)
    return String(rest)
  }
}
