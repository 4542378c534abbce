import Domain
import HTTP
import Support
import Testing

@Suite("Twilio · rate limits and buckets", .contract("twilio-verify.md 7"))
struct RateLimitTests {
  let twilio: TwilioWorld
  static let limits = "/v2/Services/\(TwilioWorld.service)/RateLimits"

  init() throws { twilio = try TwilioWorld() }

  @Test("old counts are deleted: a new one for each value leaves no more than those of one interval")
  func countsAreFew() throws {
    try twilio.configure(#""maxSends":1000000"#)
    try add(interval: 10)

    for number in 0..<200 {
      #expect(try create("value \(number)").answer.hasPrefix("201 "))
      try twilio.advance(1)
    }

    let counts = try twilio.sandbox.records.all(ofProvider: "twilio", kind: "hits", limit: 1000)
    #expect(counts.count <= 12)
  }

  @Test("a clock that is set back starts a new window")
  func clockSetBack() throws {
    try add(interval: 60)
    #expect(try create("a").answer.hasPrefix("201 "))
    try twilio.advance(-3600)

    #expect(try create("a").answer.hasPrefix("201 "))
  }

  /// Adds a rate limit of one create.
  private func add(interval: Int) throws {
    #expect(try twilio.post(Self.limits, ["UniqueName": "end_user_ip"]).answer.hasPrefix("201 "))
    let form: KeyValuePairs = ["Max": "1", "Interval": String(interval)]
    #expect(try twilio.post("\(Self.limits)/end_user_ip/Buckets", form).answer.hasPrefix("201 "))
  }

  private func create(_ value: String) throws -> Exchange {
    try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "RateLimits": #"{ "end_user_ip": "\#(value)" }"#])
  }
}
