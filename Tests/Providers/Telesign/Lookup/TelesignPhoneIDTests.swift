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

  private func lookUp(_ digits: String) throws -> String {
    try telesign.send(.post, "/v1/phoneid/\(digits)").answer
  }

  @Test("a number is looked up by path")
  func path() throws {
    let exchange = try telesign.post(Self.pathOfNumber, form: ["consent": "method"])

    exchange.matches(golden: "mobile")
    #expect(exchange.unread == ["consent"])
  }

  @Test("a number is looked up by body")
  func body() throws {
    let exchange = try telesign.send(
      .post, "/v1/phoneid",
      json: #"{"phone_number":"\#(Self.number)","consent":{"method":1},"external_id":"mine"}"#)

    exchange.matches(golden: "mobile")
  }

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
    "every line type has a phone type", .contract("telesign.md 10.2"),
    arguments: [
      ("mobile", "2", "MOBILE"), ("landline", "1", "FIXED_LINE"), ("fixed_voip", "5", "VOIP"),
      ("non_fixed_voip", "5", "VOIP"), ("toll_free", "4", "TOLL_FREE"), ("premium", "20", "OTHER"),
      ("shared_cost", "20", "OTHER"), ("personal", "10", "PERSONAL"), ("pager", "6", "PAGER"),
      ("voicemail", "11", "VOICEMAIL"), ("uan", "20", "OTHER"), ("unknown", "20", "OTHER"),
    ])
  func types(type: String, code: String, word: String) throws {
    try telesign.seed(#"{"subscribers":[{"number":"+12025550117","lineType":"\#(type)"}]}"#)

    #expect(
      try lookUp("12025550117").contains(#""phone_type":{"code":"\#(code)","description":"\#(word)"}"#))
  }

  @Test("a prepaid line has its own phone type")
  func prepaid() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+12025550117","contract":"PAYG"}]}"#)

    #expect(try lookUp("12025550117").contains(#""phone_type":{"code":"3","description":"PREPAID"}"#))
  }

  @Test("without a record a number's ending decides its type", .contract("telesign.md 15.1"))
  func endings() throws {
    #expect(try lookUp("15558670010").contains(#""phone_type":{"code":"8","description":"INVALID"}"#))
    #expect(try lookUp("15558670005").contains(#""phone_type":{"code":"5","description":"VOIP"}"#))
    #expect(
      try lookUp("15558670230").contains(
        #""blocklisting":{"blocked":true,"block_code":1,"block_description":"Blocked"}"#))
    try telesign.seed(
      #"{"subscribers":[{"number":"+15558670010"},{"number":"+15558670005","lineType":"landline"}]}"#)
    #expect(try lookUp("15558670010").contains(#""phone_type":{"code":"2","#))
    #expect(try lookUp("15558670005").contains(#""phone_type":{"code":"1","#))
  }

  @Test("an invalid number is not an error", .contract("telesign.md 10.2"))
  func invalid() throws {
    let exchange = try telesign.send(.post, "/v1/phoneid/15558670010")

    exchange.matches(golden: "invalid")
    #expect(exchange.answer.contains(#""carrier":{"name":""}"#))
    #expect(exchange.answer.contains(#""country":{"name":null,"iso2":null,"iso3":null}"#))
  }

  @Test(
    "a number without a numbering plan is invalid, unless the carrier knows it",
    arguments: [("2101234567", 103), ("12025", 0), ("1202555012", 105), ("4479460000000", 105)])
  func plans(digits: String, code: Int) throws {
    let answer = try lookUp(digits)

    #expect(code == 0 ? answer.hasPrefix("400 ") : answer.contains(#""cleansed_code":\#(code),"#))
    #expect(answer.contains(#""code":"8""#) == (code != 0))
    if code == 0 { return }
    try telesign.seed(#"{"subscribers":[{"number":"+\#(digits)"}]}"#)
    #expect(try lookUp(digits).contains(#""cleansed_code":100,"#))
  }

  @Test(
    "a number belongs to the country of its calling code, or of its record",
    arguments: [
      ("33639980050", #""country":{"name":"France","iso2":"FR","iso3":"FRA"}"#),
      ("14165550100", #""country":{"name":"Canada","iso2":"CA","iso3":"CAN"}"#),
      ("447700900123", #""utc_offset_min":"+0","utc_offset_max":"+0""#),
      ("919876543210", #""utc_offset_min":"+5.5","utc_offset_max":"+5.5""#),
      ("35315550100", #""iso2":"IE""#),
    ])
  func countries(digits: String, part: String) throws {
    #expect(try lookUp(digits).contains(part))
  }

  @Test("a plus is removed and reported, unless the setting is strict")
  func plus() throws {
    let answer = try lookUp("%2B15558675309")
    try telesign.configure(#""phone.lenient":false"#)
    let strict = try telesign.send(.post, "/v1/phoneid/+15558675309")

    #expect(answer.contains(#""cleansed_code":101,"#))
    #expect(answer.contains(#""complete_phone_number":"15558675309""#))
    #expect(try strict.errorCodes() == "400 11000")
  }

  @Test("malformed numbers and invalid parameters are rejected", .contract("telesign.md 10.4"))
  func refusals() throws {
    let number = try telesign.send(.post, "/v1/phoneid/abc")
    let missing = try telesign.send(.post, "/v1/phoneid", json: "{}")

    number.matches(golden: "no-number")
    missing.matches(golden: "without-number")
    for (body, refusal) in [
      (#"{"account_lifecycle_event":"born"}"#, "400 11003"), (#"{"originating_ip":"1.2.3"}"#, "400 11010"),
      (#"{"external_id":"é"}"#, "400 11016"), (#"{"addons":[]}"#, "400 -40006"),
      (#"{"addons":{"contact":1}}"#, "400 -40006"), (#"{"consent":{"method":5}}"#, "400 -40006"),
      (#"{"consent":{"method":1,"timestamp":"now"}}"#, "400 -40006"), (#"{"#, "400 -40006"),
    ] {
      #expect(try telesign.send(.post, Self.pathOfNumber, json: body).errorCodes() == refusal, "\(body)")
    }
  }

  @Test("an account without money cannot look up numbers")
  func funds() throws {
    try telesign.configure(#""account.funds":false"#)

    #expect(try telesign.send(.post, Self.pathOfNumber).errorCodes() == "402 10030")
  }

  @Test(
    "a number is blocked by its ending, unless it has a record", .contract("telesign.md 10.2, 15.1"))
  func blocked() throws {
    func isBlocked() throws -> Bool {
      let exchange = try telesign.send(.post, "/v1/phoneid/15558670230")
      return try exchange.members().object("blocklisting").optionalBool("blocked") ?? false
    }

    #expect(try isBlocked())
    try telesign.seed(#"{"subscribers":[{"number":"+15558670230"}]}"#)
    #expect(try !isBlocked())
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
  func withoutReference() throws -> String {
    try #require(answer.contains(#"{"reference_id":""#))
    let rest = answer.dropFirst(answer.prefix(while: { $0 != "{" }).count + 50)
    return String(rest)
  }
}
