import Domain
import HTTP
import JSON
import Support
import Testing

private let numbers = "/v2/PhoneNumbers"

@Suite("Twilio · Lookup", .contract("twilio-verify.md 16.1"))
struct LookupTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  private static let packages = [
    "caller_name", "sim_swap", "call_forwarding", "line_status", "line_type_intelligence", "identity_match",
    "reassigned_number", "sms_pumping_risk", "phone_number_quality_score", "pre_fill",
  ]

  private func look(_ number: String = TwilioWorld.number, _ query: String = "") throws -> JSON {
    let exchange = try twilio.get("\(numbers)/\(number)?\(query)")
    try #require(exchange.answer.hasPrefix("200 "), "\(exchange.answer)")
    return try json(exchange)
  }

  private func package(
    _ name: String, of number: String = TwilioWorld.number, _ query: String = ""
  ) throws -> JSON {
    try #require(look(number, "Fields=\(name)&\(query)")[name])
  }

  private func seed(_ record: String) throws {
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100",\#(record)}]}"#)
  }

  private func json(_ exchange: Exchange) throws -> JSON {
    try JSON(parsing: Array(exchange.answer.drop { $0 != "{" }.utf8))
  }

  // MARK: Numbers

  @Test("a lookup without packages has every package as null")
  func plain() throws {
    let exchange = try twilio.get("\(numbers)/\(TwilioWorld.number)")
    exchange.matches(golden: "plain")
    let answer = try json(exchange)

    #expect(answer["calling_country_code"]?.text == "1" && answer["country_code"]?.text == "US")
    #expect(answer["national_format"]?.text == "(202) 555-0100")
    #expect(answer["valid"] == .bool(true) && answer["validation_errors"] == .array([]))
    for name in Self.packages { #expect(answer[name] == .null, "\(name)") }
  }

  @Test(
    "a number that cannot exist is an answer with its error, and without packages",
    arguments: [
      ("+141", "TOO_SHORT"), ("+1415", "TOO_SHORT"), ("+141599299600", "TOO_LONG"),
      ("+12025555", "TOO_SHORT"), ("+10000000000", "INVALID_BUT_POSSIBLE"),
      ("+999123456789", "INVALID_COUNTRY_CODE"),
      ("abc", "NOT_A_NUMBER"), ("+1202+550100", "NOT_A_NUMBER"), ("+1234567890123456", "TOO_LONG"),
    ])
  func invalid(number: String, problem: String) throws {
    let answer = try look(number, "Fields=line_type_intelligence")

    #expect(answer["valid"] == .bool(false))
    #expect(answer["validation_errors"] == .array([.string(problem)]))
    #expect(answer["phone_number"]?.text == number)
    for name in ["country_code", "national_format", "line_type_intelligence"] {
      #expect(answer[name] == .null, "\(name)")
    }
  }

  @Test(
    "46 D4: a number as people write it belongs to CountryCode, by default the US",
    arguments: [
      ("2025550100", "", "+12025550100"), ("(202)%20555-0100", "", "+12025550100"),
      ("12025550100", "", "+12025550100"), ("07700900123", "GB", "+447700900123"),
      ("0639980001", "FR", "+33639980001"), ("639980001", "fr", "+33639980001"),
      ("4165550100", "CA", "+14165550100"), ("+44%20(0)20%207946%200958", "", "+442079460958"),
      ("011%2044%2020%207946%200958%20ext.%205", "", "+442079460958"), ("1-800-FLOWERS", "", "+18003569377"),
    ])
  func national(number: String, country: String, expected: String) throws {
    let answer = try look(number, country.isEmpty ? "" : "CountryCode=\(country)")

    #expect(answer["phone_number"]?.text == expected)
    #expect(answer["valid"] == .bool(true))
  }

  @Test(
    "the numbering plan says the type of a line without a record",
    arguments: [
      ("+12025550100", "mobile"), ("+14155551234", "mobile"), ("+18005550100", "tollFree"),
      ("+19002345678", "premium"), ("+15002345678", "personal"), ("+442079460018", "landline"),
      ("+41840123456", "sharedCost"), ("+445612345678", "nonFixedVoip"), ("+447640123456", "pager"),
      ("+445512345678", "uan"), ("+49177991234567", "voicemail"), ("+80012345678", "tollFree"),
    ])
  func lineTypes(number: String, type: String) throws {
    let found = try package("line_type_intelligence", of: number)

    #expect(found["type"]?.text == type)
    #expect((found["mobile_country_code"] == .null) == (type != "mobile"))
    try twilio.seed(#"{"subscribers":[{"number":"\#(number)","lineType":"pager"}]}"#)
    #expect(try package("line_type_intelligence", of: number)["type"]?.text == "pager")
  }

  @Test(
    "numbers are written as people of the country write them",
    arguments: [
      ("+447700900123", "07700 900123"), ("+442079460001", "020 7946 0001"),
      ("+33639980001", "06 39 98 00 01"),
      ("+61491570156", "0491 570 156"), ("+14165550100", "(416) 555-0100"),
    ])
  func format(number: String, expected: String) throws {
    #expect(try look(number)["national_format"]?.text == expected)
  }

  @Test("an unknown package is 60200")
  func unknownPackage() throws {
    let exchange = try twilio.get("\(numbers)/\(TwilioWorld.number)?Fields=carrier")

    exchange.matches(golden: "unknown-package")
    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter: Fields"))
  }

  // MARK: Packages

  @Test("every package of one number")
  func everyPackage() throws {
    try seed(
      #""simSwaps":["-2h"],"forwarding":["unconditional"],"kyc":{"givenName":"Ada","familyName":"Byron"}"#)
    let exchange = try twilio.get(
      "\(numbers)/\(TwilioWorld.number)?Fields=\(Self.packages.joined(separator: ","))&FirstName=Ada"
        + "&LastVerifiedDate=20250101")
    exchange.matches(golden: "every-package")
    let answer = try json(exchange)

    for name in Self.packages where name != "pre_fill" {
      #expect(answer[name]?["error_code"] == .null, "\(name)")
    }
    #expect(answer["caller_name"]?["caller_name"]?.text == "Ada Byron")
    #expect(answer["sim_swap"]?["last_sim_swap"]?["swapped_in_period"] == .bool(true))
    #expect(answer["call_forwarding"]?["call_forwarding_enabled"] == .bool(true))
    #expect(answer["pre_fill"]?["error_code"] == .integer(60617))
  }

  @Test("a SIM swap of another day is not in the period; without one there is no date")
  func simSwap() throws {
    #expect(try package("sim_swap")["last_sim_swap"]?["last_sim_swap_date"] == .null)
    try seed(#""simSwaps":["-30h"]"#)

    let swap = try package("sim_swap")["last_sim_swap"]

    #expect(swap?["swapped_in_period"] == .bool(false) && swap?["swapped_period"]?.text == "PT24H")
    #expect(swap?["last_sim_swap_date"]?.text?.hasSuffix("Z") == true)
  }

  @Test(
    "the line's state",
    arguments: [
      (#""lineType":"mobile""#, "active"), (#""suspended":true"#, "inactive"),
      (#""reach":{"sms":false,"data":false}"#, "unreachable"),
    ])
  func lineStatus(record: String, status: String) throws {
    try seed(record)

    #expect(try package("line_status")["status"]?.text == status)
  }

  @Test(
    "the type of a line, with the mobile network's codes for mobile lines only",
    arguments: [
      ("mobile", "mobile"), ("landline", "landline"), ("fixed_voip", "fixedVoip"),
      ("non_fixed_voip", "nonFixedVoip"), ("toll_free", "tollFree"), ("uan", "uan"), ("unknown", "unknown"),
    ])
  func lineType(type: String, expected: String) throws {
    try seed(#""lineType":"\#(type)""#)

    let answer = try package("line_type_intelligence")

    #expect(answer["type"]?.text == expected)
    #expect((answer["mobile_country_code"] != .null) == (type == "mobile"))
  }

  @Test(
    "claims are compared with the person",
    arguments: [
      ("FirstName=Ada&LastName=Byron", "exact_match", 100),
      ("FirstName=Adam&LastName=Byron", "partial_match", 75),
      ("FirstName=Grace&LastName=Hopper", "no_match", 0),
      ("FirstName=Ada&State=NY", "exact_match", 100),
    ])
  func identity(query: String, first: String, score: Int) throws {
    try seed(#""kyc":{"givenName":"Ada","familyName":"Byron","birthdate":"1990-12-14"}"#)

    let answer = try package("identity_match", query)

    #expect(answer["first_name_match"]?.text == first)
    #expect(answer["summary_score"] == .integer(Int64(score)))
    if query.contains("State") { #expect(answer["state_match"]?.text == "no_data_available") }
    #expect(answer["city_match"] == .null)
    #expect(
      try package("identity_match", "DateOfBirth=19901214")["date_of_birth_match"]?.text == "exact_match")
  }

  @Test(
    "a reassigned number has another holder since the date, or none",
    arguments: [("20250101", "yes"), ("20260104", "no"), ("20100101", "no_data_available")])
  func reassigned(date: String, answer: String) throws {
    try twilio.world.sandbox.atomically {}
    try seed(
      #""subscriberPeriods":[{"from":"2020-01-01T00:00:00Z","to":"2025-03-01T00:00:00Z"},{"from":"2025-06-01T00:00:00Z"}]"#
    )

    let found = try package("reassigned_number", "LastVerifiedDate=\(date)")

    #expect(found["is_number_reassigned"]?.text == (date == "20100101" ? "yes" : answer))
    #expect(found["last_verified_date"]?.text?.count == 10)
  }

  @Test("risk follows from the record's score, or from the type of the line")
  func risk() throws {
    #expect(try package("sms_pumping_risk")["carrier_risk_category"]?.text == "low")
    try seed(#""risk":{"score":610}"#)
    #expect(try package("sms_pumping_risk")["sms_pumping_risk_score"] == .integer(61))
    #expect(try package("sms_pumping_risk")["carrier_risk_category"]?.text == "moderate")
    try seed(#""risk":{"score":950}"#)
    #expect(try package("sms_pumping_risk")["number_blocked"] == .bool(true))
    let quality = try package("phone_number_quality_score")
    #expect(quality["quality_score"] == .integer(95) && quality["quality_category"]?.text == "high")
  }

  @Test("pre_fill needs an approved verification of the number")
  func preFill() throws {
    try seed(#""kyc":{"givenName":"Ada","familyName":"Byron","postalCode":"98117"}"#)
    let verification = try twilio.started()
    let query = "VerificationSid=\(verification.sid)"
    #expect(try package("pre_fill", query)["error_code"] == .integer(60623))
    _ = try twilio.check(twilio.code())

    let answer = try package("pre_fill", query)

    #expect(answer["first_name"]?.text == "Ada" && answer["postal_code"]?.text == "98117")
    #expect(answer["error_code"] == .null)
    #expect(try package("pre_fill", of: "+12025550101", query)["error_code"] == .integer(60623))
  }

  @Test(
    "an error of a package is in its object, and its members are null", .contract("twilio-verify.md 13.4"),
    arguments: [
      ("sim_swap", #""lineType":"landline""#, "", 60612),
      ("line_status", #""lineType":"landline""#, "", 60612),
      ("call_forwarding", #""deactivatedAt":"-1d""#, "", 60600),
      ("sim_swap", #""consent":{"*":"denied"}"#, "", 60608),
      ("caller_name", #""country":"FR""#, "", 60607), ("identity_match", #""whatsapp":true"#, "", 60617),
      ("identity_match", #""whatsapp":true"#, "DateOfBirth=1990-12-14", 60618),
      ("pre_fill", #""whatsapp":true"#, "VerificationSid=VE1", 60623),
    ])
  func packageError(name: String, record: String, query: String, code: Int) throws {
    try seed(record)

    let answer = try package(name, query)

    #expect(answer["error_code"] == .integer(Int64(code)))
    for member in answer.members where !member.name.hasPrefix("error_") {
      #expect(member.value == .null, "\(member.name)")
    }
  }

  @Test("the provider's test number for an incomplete answer; the code of a reassigned number is a text")
  func documentedErrors() throws {
    #expect(try package("sim_swap", of: "+12345678916")["error_code"] == .integer(60620))
    #expect(try package("reassigned_number")["error_code"]?.text == "60617")
    #expect(try package("reassigned_number", "LastVerifiedDate=2025-01-01")["error_code"]?.text == "60618")
  }

  @Test("a setting gives any package any error", arguments: [60606, 60611, 60616, 60621, 60622, 60626])
  func errorOfSetting(code: Int) throws {
    try twilio.configure(#""lookupErrors":[{"package":"sim_swap","code":\#(code)}]"#)

    let answer = try look(TwilioWorld.number, "Fields=sim_swap,line_status")

    #expect(answer["sim_swap"]?["error_code"] == .integer(Int64(code)))
    #expect(answer["line_status"]?["error_code"] == .null)
  }

  // MARK: Batches, overrides, limits

  @Test("a batch answers in its order, with the ids of its entries")
  func batch() throws {
    let exchange = try send(
      .post, "/v2/batch/query",
      #"{"phone_numbers":[{"phone_number":"+12025550100","correlation_id":"a","fields":["line_type_intelligence"]},{"phone_number":"+141"}]}"#
    )
    let refused = try send(.post, "/v2/batch/query", #"{"phone_numbers":[{}]}"#)

    exchange.matches(golden: "two")
    refused.matches(golden: "no-number")
    let found = try json(exchange)["phone_numbers"]?.items ?? []
    #expect(found.map { $0["correlation_id"]?.text } == ["a", nil])
    #expect(found.map { $0["valid"] } == [.bool(true), .bool(false)])
    #expect(found.first?["line_type_intelligence"]?["type"]?.text == "mobile")
    #expect(try refused.decode(ErrorAnswer.self).code == 60200)
  }

  @Test("an override changes the line type for its account")
  func overrides() throws {
    let path = "\(numbers)/\(TwilioWorld.number)/Overrides/line_type_intelligence"
    try twilio.get(path).matches(golden: "unknown")
    try send(.put, path, #"{"line_type":"landline"}"#).matches(golden: "unknown")
    try twilio.delete(path).matches(golden: "unknown")
    try send(.post, path, #"{"line_type":"phone"}"#).matches(golden: "unknown-type")

    try send(.post, path, #"{"line_type":"nonFixedVoip","reason":"Seen"}"#).matches(golden: "created")
    #expect(try package("line_type_intelligence")["type"]?.text == "nonFixedVoip")
    try send(.put, path, #"{"line_type":"pager"}"#).matches(golden: "updated")
    let fetched = try twilio.get(path)
    fetched.matches(golden: "found")
    #expect(try json(fetched)["overridden_line_type"]?.text == "pager")
    #expect(try json(fetched)["original_line_type"]?.text == "mobile")
    try twilio.delete(path).matches(golden: "deleted")
    #expect(try package("line_type_intelligence")["type"]?.text == "mobile")
  }

  @Test("limits of lookups are stored")
  func limits() throws {
    let path = "/v2/RateLimits/Fields/sim_swap/Bucket/mine"
    try twilio.get(path).matches(golden: "unknown")
    try twilio.delete(path).matches(golden: "unknown")
    try send(.put, path, #"{"limit":0,"ttl":60}"#).matches(golden: "no-limit")
    try twilio.get("/v2/RateLimits", as: [:]).matches(golden: "no-credentials")

    try send(.put, path, #"{"limit":10,"ttl":60}"#).matches(golden: "created")
    let list = try twilio.get("/v2/RateLimits")
    list.matches(golden: "one")
    try twilio.get(path).matches(golden: "found")
    #expect(try json(list)["rate_limits"]?.items.count == 1)
    #expect(try json(twilio.get("/v2/RateLimits?Fields=line_status"))["rate_limits"]?.items.isEmpty == true)
    try twilio.delete(path).matches(golden: "deleted")
    #expect(try json(twilio.get("/v2/RateLimits"))["rate_limits"]?.items.isEmpty == true)
  }

  private func send(_ method: HTTP.Method, _ path: String, _ body: String) throws -> Exchange {
    var headers = TwilioWorld.credentials
    headers.add("Content-Type", "application/json")
    return try twilio.send(.to(path, method, headers: headers, body: Array(body.utf8)))
  }
}
