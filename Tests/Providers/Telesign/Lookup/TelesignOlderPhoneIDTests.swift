import Domain
import HTTP
import Support
import Testing

@Suite("Telesign · older PhoneID", .contract("telesign.md 10.5"))
struct TelesignOlderPhoneIDTests {
  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func get(_ product: String, _ digits: String = "15558675309") throws -> Exchange {
    try telesign.get("/v1/phoneid/\(product)/\(digits)?ucid=ATCK")
  }

  @Test("a standard look-up is the current one with errors")
  func standard() throws {
    let exchange = try get("standard")

    exchange.matches(golden: "mobile")
    #expect(exchange.unread == [])
    try get("standard", "abc").matches(golden: "no-number")
  }

  @Test("a live look-up returns the status of the line")
  func live() throws {
    let exchange = try get("live")

    exchange.matches(golden: "mobile")
    #expect(
      exchange.answer.contains(
        #""live":{"subscriber_status":"ACTIVE","device_status":"REACHABLE","roaming":"UNKNOWN","#
          + #""roaming_country":null,"roaming_country_iso2":null}"#))
    try get("live", "abc").matches(golden: "no-number")
  }

  @Test(
    "a live look-up follows the carrier's data",
    arguments: [
      (
        "12025550100", #""ACTIVE","device_status":"REACHABLE","roaming":"NOT_ROAMING","roaming_country":null"#
      ),
      (
        "12025550137",
        #""device_status":"REACHABLE","roaming":"ROAMING","roaming_country":"France","roaming_country_iso2":"FR""#
      ), ("12025550152", #""ACTIVE","device_status":"UNREACHABLE","roaming":"UNKNOWN""#),
      ("12025550132", #""DISCONNECTED","device_status":"UNAVAILABLE","roaming":"UNKNOWN""#),
      ("15558670010", #""DISCONNECTED","device_status":"UNAVAILABLE""#),
    ])
  func facts(digits: String, part: String) throws {
    #expect(try get("live", digits).answer.contains(part))
  }

  @Test("an older score has the same risk")
  func score() throws {
    let exchange = try get("score")

    exchange.matches(golden: "mobile")
    #expect(
      exchange.answer.contains(#""risk":{"level":"very-low","recommendation":"allow","score":11}"#))
    try get("score", "abc").matches(golden: "no-number")
  }

  @Test("a contact is returned if it is known")
  func contact() throws {
    let unknown = try get("contact")
    try telesign.seed(
      #"{"subscribers":[{"number":"+15558675309","kyc":{"givenName":"Ada","familyName":"Byron"}}]}"#)
    let person = try get("contact")

    unknown.matches(golden: "nobody")
    person.matches(golden: "person")
    #expect(unknown.answer.contains(#"[{"code":-60001,"description":"Phone ID Contact data not found"}]"#))
    #expect(person.answer.contains(#""contact":{"id":null,"first_name":"Ada","last_name":"Byron","#))
    try get("contact", "abc").matches(golden: "no-number")
  }

  @Test("a deactivation is returned")
  func deactivation() throws {
    let exchange = try get("number_deactivation", "12025550132")

    exchange.matches(golden: "deactivated")
    #expect(exchange.answer.contains(#""last_deactivated":"2025-12-31T10:20:30Z""#))
    #expect(
      try get("number_deactivation", "15558670010").answer.contains(
        #""last_deactivated":null,"tracking_since":null}"#))
    try get("number_deactivation", "abc").matches(golden: "no-number")
  }

  @Test("an unknown use case is rejected")
  func cause() throws {
    #expect(
      try telesign.get("/v1/phoneid/live/15558675309?ucid=XXXX").errorCodes() == "400 500 -40006")
    #expect(try telesign.get("/v1/phoneid/live/15558675309").isAccepted)
  }
}
