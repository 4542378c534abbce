import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V36 and V37 of the contract, section 13.
@Suite("Vonage · Identity Insights and Number Insight", .contract("vonage-verify.md 10"))
struct VonageInsightTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private func request(_ insights: String, _ number: String, _ more: String = "") throws -> Exchange {
    try vonage.post(
      "/identity-insights/v1/requests", #"{"phone_number":"\#(number)","insights":\#(insights)\#(more)}"#)
  }

  private func insight(
    _ name: String, _ number: String, _ parameters: String = "{}", _ more: String = ""
  ) throws -> Fields {
    let exchange = try request("{\"\(name)\":\(parameters)}", number, more)
    return try Fields(Array(exchange.answer.dropFirst(4).utf8)).object("insights").object(name)
  }

  private func code(_ name: String, _ number: String, _ parameters: String = "{}", _ more: String = "") throws
    -> String
  {
    try insight(name, number, parameters, more).object("status").string("code")
  }

  @Test("V36: format and SIM swap")
  func v36() throws {
    let both = try request(#"{"format":{},"sim_swap":{"period":24}}"#, "12025550102")
    both.matches(golden: "format-and-swap")

    let recent = try insight("sim_swap", "12025550102", #"{"period":24}"#)
    let wide = try insight("sim_swap", "12025550102", #"{"period":240}"#)
    #expect(try recent.bool("is_swapped") == false)
    #expect(try wide.bool("is_swapped"))
    #expect(try wide.string("latest_sim_swap_at") == "2026-01-02T10:20:30.000Z")
    #expect(try wide.object("status").string("code") == "OK")
    let format = try insight("format", "+1 (202) 555-0102")
    #expect(try format.string("country_name") == "United States")
    #expect(try format.string("number_international") == "+12025550102")
    #expect(try format.string("number_national") == "(202) 555-0102")
    #expect(try format.bool("is_format_valid"))
  }

  @Test("V37: no insight, unknown numbers and landlines")
  func v37() throws {
    let none = try request("{}", "12025550102")
    none.matches(golden: "no-insight")
    #expect(try none.problem() == "422 validation insights")
    #expect(try code("sim_swap", "4915123456789") == "NOT_FOUND")
    #expect(try code("current_carrier", "12025550112") == "UNSUPPORTED_NETWORK_TYPE")
    #expect(try code("current_carrier", "12025550132") == "NOT_FOUND")
    #expect(try code("current_carrier", "1202") == "INVALID_NUMBER_FORMAT")
  }

  @Test("the virtual operator answers for some numbers only", .contract("vonage-verify.md 11"))
  func virtualOperator() throws {
    let known = try insight("sim_swap", "990123422", #"{"period":2400}"#)
    #expect(try known.bool("is_swapped"))
    #expect(try insight("sim_swap", "990123422", #"{"period":499}"#).bool("is_swapped") == false)
    #expect(try code("sim_swap", "990123499") == "NOT_FOUND")
    #expect(try code("sim_swap", "990123423") == "INVALID_NUMBER_FORMAT")
  }

  @Test("carriers, roaming, reachability and device swaps are those of the record")
  func facts() throws {
    let original = try insight("original_carrier", "12025550105")
    #expect(try original.string("network_code") == "00199")
    #expect(try original.optionalString("name") == nil)
    let current = try insight("current_carrier", "12025550105")
    #expect(try current.string("network_code") == "00101")
    #expect(try current.string("network_type") == "MOBILE")
    #expect(try insight("original_carrier", "12025550112").string("network_type") == "LANDLINE")
    #expect(try insight("roaming", "12025550137").optionalStrings("country_codes") == ["FR"])
    #expect(try insight("reachability", "12025550152").bool("is_reachable") == false)
    #expect(try insight("reachability", "12025550100").optionalStrings("connectivity") == ["DATA", "SMS"])
    #expect(try insight("device_swap", "12025550160", #"{"period":2}"#).bool("is_swapped"))
    #expect(try code("location_verification", "12025550100") == "NO_COVERAGE")
    #expect(try code("sim_swap", "12025550146") == "UNAUTHORIZED")
    #expect(
      try code("sim_swap", "12025550102", "{}", #","purpose":"Marketing""#) == "INVALID_PURPOSE")
    #expect(
      try code("sim_swap", "12025550102", "{}", #","purpose":"FraudPreventionAndDetection""#) == "OK")
  }

  @Test("a person is compared trait by trait")
  func subscriberMatch() throws {
    try vonage.seed(
      #"{"subscribers":[{"number":"+12025550100","kyc":{"givenName":"Federica","familyName":"Sanchez Arjona","address":"4 Crawfords Corner Road Holmdel","birthdate":"1978-08-22"}}]}"#
    )
    let match = try insight(
      "subscriber_match", "12025550100",
      #"{"given_name":"Frederica","family_name":"sanchez arjona","birthdate":"1978-08-23","id_document":"1","street_number":"4","street_name":"Crawfords Corner Road","locality":"Holmdel"}"#
    )

    #expect(try match.string("given_name_match") == "HIGH")
    #expect(try match.string("family_name_match") == "EXACT")
    #expect(try match.string("birthdate_match") == "NONE")
    #expect(try match.string("id_document_match") == "DATA_UNAVAILABLE")
    #expect(try match.string("street_name_match") == "INCLUDED_WITH_ADDRESS_MATCH")
    #expect(try match.string("address_match") == "PARTIAL" || match.string("address_match") == "HIGH")
    #expect(
      try request(#"{"subscriber_match":{}}"#, "12025550100").problem()
        == "422 validation insights.subscriber_match")
    #expect(
      try request(#"{"subscriber_match":{"birthdate":"1978-02-30"}}"#, "12025550100").problem()
        == "422 validation insights.subscriber_match.birthdate, insights.subscriber_match"
        || request(#"{"subscriber_match":{"birthdate":"1978-02-30"}}"#, "12025550100").problem()
          == "422 validation insights.subscriber_match.birthdate"
    )
  }

  @Test("an operator that requires the identity document compares nothing without it")
  func idDocument() throws {
    let number = "12025550100"
    try vonage.seed(
      #"{"subscribers":[{"number":"+12025550100","kyc":{"givenName":"Ana","idDocument":"X1"}}],"#
        + #""vonage":{"settings":{"idDocumentRequired":true}}}"#)
    func match(_ claims: String) throws -> String { try code("subscriber_match", number, claims) }

    let refused = try request(#"{"subscriber_match":{"given_name":"Ana"}}"#, number)
    refused.matches(golden: "document-required")
    #expect(try match(#"{"given_name":"Ana"}"#) == "SUBSCRIBER_MATCH.ID_DOCUMENT_REQUIRED")
    #expect(
      try match(#"{"given_name":"Ana","id_document":"X2"}"#) == "SUBSCRIBER_MATCH.ID_DOCUMENT_MISMATCH")
    #expect(try match(#"{"given_name":"Ana","id_document":"x1"}"#) == "OK")
    #expect(try code("sim_swap", number) == "OK")
  }

  @Test("an operator that fails is a supplier's error")
  func supplierError() throws {
    let number = "12025550102"
    #expect(try code("sim_swap", number) == "OK")
    try vonage.seed(#"{"scenarios":[{"match":{"number":"+12025550102"},"outcome":"networkDown"}]}"#)

    #expect(try code("sim_swap", number) == "SUPPLIER_ERROR")
    #expect(try code("current_carrier", number) == "OK")
    #expect(try code("format", number) == "OK")
  }

  @Test(
    "a number has the time zones of its territory",
    arguments: [
      ("442079460123", ["Europe/London"]), ("33639980001", ["Europe/Paris"]), ("1202", ["unknown"]),
      (
        "12025550102",
        ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"]
      ),
    ])
  func timeZones(number: String, zones: [String]) throws {
    #expect(try insight("format", number).optionalStrings("time_zones") == zones)
  }

  @Test("malformed requests have their own errors")
  func malformed() throws {
    func problem(_ body: String, type: String = "application/json") throws -> String {
      var headers = VonageWorld.credentials
      headers.add("Content-Type", type)
      return try vonage.world.send(
        .to("/identity-insights/v1/requests", .post, headers: headers, body: Array(body.utf8))
      ).problem()
    }

    #expect(try problem("{") == "400 invalid-json")
    #expect(try problem("{}", type: "text/plain") == "415 content-type-header")
    #expect(try problem("{}") == "422 validation phone_number, insights")
    #expect(
      try problem(#"{"phone_number":"12025550100","insights":{"sim_swap":{"period":0}}}"#)
        == "422 validation insights.sim_swap.period")
    #expect(
      try problem(#"{"phone_number":"12025550100","insights":{"mood":{}}}"#)
        == "422 validation insights.mood, insights")
    #expect(try vonage.get("/identity-insights/v1/requests").problem() == "405 method-not-allowed")
    #expect(
      try vonage.post("/identity-insights/v1/requests", "{}", as: VonageWorld.basic).problem()
        == "401 unauthorized")
  }
}
