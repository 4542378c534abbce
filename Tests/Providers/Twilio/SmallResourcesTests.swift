import HTTP
import Support
import Testing

@Suite("Twilio · messaging configurations, SafeList, forms", .contract("twilio-verify.md 8"))
struct SmallResourcesTests {
  let twilio: TwilioWorld
  static let configurations = "/v2/Services/\(TwilioWorld.service)/MessagingConfigurations"
  static let safeList = "/v2/SafeList/Numbers"
  static let messaging = "MG00000000000000000000000000000001"

  init() throws { twilio = try TwilioWorld() }

  @Test("a messaging configuration is created, fetched, changed, listed and deleted")
  func configuration() throws {
    let form: KeyValuePairs = ["Country": "US", "MessagingServiceSid": Self.messaging]
    let path = Self.configurations + "/US"
    try twilio.post(Self.configurations, form).matches(golden: "created")
    try twilio.post(Self.configurations, form).matches(golden: "country-taken")
    try twilio.get(path).matches(golden: "found")
    try twilio.post(path, ["MessagingServiceSid": "MG00000000000000000000000000000002"])
      .matches(golden: "changed")
    try twilio.post(path, ["MessagingServiceSid": "MG1"]).matches(golden: "bad-sid")
    try twilio.get(Self.configurations).matches(golden: "one")
    try twilio.get(Self.configurations + "?PageSize=0").matches(golden: "bad-page-size")
    try twilio.delete(path).matches(golden: "deleted")

    try twilio.get(path).matches(golden: "unknown")
    try twilio.delete(path).matches(golden: "unknown")
  }

  @Test("a country is two letters or all, in any letter case")
  func country() throws {
    for (country, stored) in [("us", "US"), ("ALL", "all")] {
      let form: KeyValuePairs = ["Country": country, "MessagingServiceSid": Self.messaging]
      #expect(try twilio.post(Self.configurations, form).answer.hasPrefix("201 "))
      #expect(try twilio.get("\(Self.configurations)/\(stored)").answer.hasPrefix("200 "))
    }
    for unknown in ["USA", "XX", "UK"] {
      let form: KeyValuePairs = ["Country": unknown, "MessagingServiceSid": Self.messaging]
      #expect(
        try twilio.post(Self.configurations, form).answer
          == errorAnswer(400, 60200, "Invalid parameter: Country"))
    }
  }

  @Test("a number is put on the SafeList, found and deleted")
  func safeNumber() throws {
    let path = Self.safeList + "/%2B12025550100"
    try twilio.post(Self.safeList, ["PhoneNumber": TwilioWorld.number]).matches(golden: "created")
    try twilio.post(Self.safeList, ["PhoneNumber": TwilioWorld.number]).matches(golden: "listed")
    try twilio.get(path).matches(golden: "found")
    try twilio.delete(path).matches(golden: "deleted")

    try twilio.get(path).matches(golden: "unknown")
    try twilio.delete(path).matches(golden: "unknown")
  }

  @Test("each account has its own SafeList")
  func ownSafeList() throws {
    let other = Request.basic("AC" + String(repeating: "5", count: 32), "secret")
    _ = try twilio.post(Self.safeList, ["PhoneNumber": TwilioWorld.number])

    #expect(try twilio.get(Self.safeList + "/+12025550100", as: other).answer.hasPrefix("404 "))
    #expect(try twilio.get(Self.safeList + "/+12025550100").answer.hasPrefix("200 "))
  }

  @Test("the only form is form-push")
  func forms() throws {
    try twilio.get("/v2/Forms/form-push").matches(golden: "push")
    try twilio.get("/v2/Forms/form-totp").matches(golden: "unknown")
  }
}
