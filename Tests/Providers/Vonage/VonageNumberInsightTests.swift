import Domain
import HTTP
import JSON
import Support
import Testing

/// The other behaviours are in `Checks/NumberInsight.http`.
@Suite("Vonage · Number Insight", .contract("vonage-verify.md 10"))
struct VonageNumberInsightTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  @Test("an asynchronous Number Insight sends the answer", arguments: [HTTP.Method.get, .post])
  func asynchronous(method: HTTP.Method) throws {
    func send(_ query: String) throws -> Exchange {
      try vonage.world.send(
        .to("/ni/advanced/async/json?number=12025550137\(query)", method, headers: VonageWorld.basic))
    }
    try send("&callback=http://127.0.0.1:9/insight").matches(golden: "accepted")
    try send("").matches(golden: "no-callback")
    vonage.world.sendWebhooks()

    let delivery = try #require(vonage.world.receiver.deliveries.first)
    #expect(delivery.url == "http://127.0.0.1:9/insight")
    #expect(delivery.body.contains(#""roaming":{"status":"roaming","roaming_country_code":"FR""#))
    #expect(delivery["Authorization"] == nil)
  }
}
