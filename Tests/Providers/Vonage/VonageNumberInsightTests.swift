import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Vonage · Number Insight", .contract("vonage-verify.md 10"))
struct VonageNumberInsightTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private func insight(_ query: String, _ level: String = "advanced") throws -> Fields {
    let exchange = try vonage.world.send(.to("/ni/\(level)/json?\(query)", headers: VonageWorld.basic))
    return try Fields(Array(exchange.answer.dropFirst(4).utf8))
  }

  @Test(
    "Number Insight has three levels", arguments: ["basic", "standard", "advanced"],
    [HTTP.Method.get, .post])
  func levels(level: String, method: HTTP.Method) throws {
    func send(_ number: String) throws -> Exchange {
      try vonage.world.send(
        .to("/ni/\(level)/json?number=\(number)&cnam=true", method, headers: VonageWorld.basic))
    }
    let answer = try send("12025550105")
    answer.matches(golden: "found")
    let refused = try send("1202")
    refused.matches(golden: "invalid")

    #expect(answer.answer.contains(#""status":0"#))
    #expect(answer.answer.contains(#""country_code_iso3":"USA""#))
    #expect(answer.answer.contains(#""ported":"ported""#) == (level != "basic"))
    #expect(answer.answer.contains(#""reachable":"reachable""#) == (level == "advanced"))
    #expect(refused.answer.contains(#""status":3"#))
  }

  @Test("an asynchronous Number Insight sends the answer", arguments: [HTTP.Method.get, .post])
  func asynchronous(method: HTTP.Method) throws {
    func send(_ query: String) throws -> Exchange {
      try vonage.world.send(
        .to("/ni/advanced/async/json?number=12025550137\(query)", method, headers: VonageWorld.basic))
    }
    let accepted = try send("&callback=http://127.0.0.1:9/insight")
    accepted.matches(golden: "accepted")
    let refused = try send("")
    refused.matches(golden: "no-callback")
    vonage.world.sendWebhooks()

    #expect(accepted.answer.contains(#""status":0"#))
    #expect(refused.answer.contains(#""status":3"#))
    let delivery = try #require(vonage.world.receiver.deliveries.first)
    #expect(delivery.url == "http://127.0.0.1:9/insight")
    #expect(delivery.body.contains(#""roaming":{"status":"roaming","roaming_country_code":"FR""#))
    #expect(delivery["Authorization"] == nil)
  }

  @Test(
    "46 B7: a number is read as people write it, or in the form of its country",
    arguments: [
      ("number=2025550105&country=US", "12025550105"), ("number=07700900123&country=GB", "447700900123"),
      ("number=%2B44%207700%20900123&country=GB", "447700900123"),
      ("number=%20%2B1%20(202)%20555-0105%20", "12025550105"),
    ])
  func numbers(query: String, digits: String) throws {
    let found = try insight(query, "basic")

    #expect(try found.int("status") == 0)
    #expect(try found.string("international_format_number") == digits)
  }

  @Test(
    "46 B7: no number, a wrong one and one of another country have status 3",
    arguments: [
      "", "number=", "number=banana", "number=12025550105abc", "number=%2B12025550105&country=GB",
      "number=12025550105&country=QQ",
    ])
  func refusals(query: String) throws {
    let refused = try insight(query, "standard")

    #expect(try refused.int("status") == 3)
    #expect(try refused.string("status_message").hasPrefix("Invalid request :: Not valid number format"))
  }

  @Test("46 B7: a name is at the top level too, and what is not known of it is unknown")
  func callerNames() throws {
    try vonage.seed(
      #"""
      {"subscribers":[
        {"number":"+12025550170","kyc":{"givenName":"Ana","familyName":"Diaz"}},
        {"number":"+12025550171","kyc":{"name":"Acme Ltd"},"contract":"Business"},{"number":"+12025550172"}]}
      """#)
    let names = ["caller_type", "caller_name", "first_name", "last_name"]
    func caller(_ number: String) throws -> [String] {
      let found = try insight("number=\(number)&cnam=true", "standard")
      let inner = try found.object("caller_identity")
      #expect(try names.map { try inner.string($0) } == names.map { try found.string($0) })
      return try names.map { try found.string($0) }
    }

    #expect(try caller("12025550170") == ["consumer", "Ana Diaz", "Ana", "Diaz"])
    #expect(try caller("12025550171") == ["business", "Acme Ltd", "unknown", "unknown"])
    #expect(try caller("12025550172") == Array(repeating: "unknown", count: 4))
    for query in ["number=12025550170", "number=447700900123&cnam=true"] {
      let found = try insight(query)
      #expect(!found.has("caller_identity") && !found.has("caller_name"))
    }
  }

  @Test("46 B7: roaming names the visited network; a landline's is unknown")
  func roaming() throws {
    let away = try insight("number=12025550137").object("roaming")
    #expect(try away.string("roaming_country_code") == "FR")
    #expect(try away.string("roaming_network_code").count == 5)
    #expect(try away.string("roaming_network_code").hasPrefix("208"))
    #expect(try !away.string("roaming_network_name").isEmpty)
    #expect(try insight("number=12025550112").string("roaming") == "unknown")
    #expect(try insight("number=12025550105").object("roaming").string("status") == "not_roaming")
  }

  @Test("real time data say the same of all numbers")
  func realTimeData() throws {
    let data = try insight("number=12025550105&real_time_data=true").object("real_time_data")

    #expect(try [data.string("active_status"), data.string("handset_status")] == ["inactive", "off"])
  }
}
