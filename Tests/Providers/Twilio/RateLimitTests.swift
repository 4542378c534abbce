import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · rate limits and buckets", .contract("twilio-verify.md 7"))
struct RateLimitTests {
  let twilio: TwilioWorld
  static let limits = "/v2/Services/\(TwilioWorld.service)/RateLimits"
  static let buckets = "\(limits)/end_user_ip/Buckets"

  init() throws { twilio = try TwilioWorld() }

  @Test("old counts are deleted: a new one for each value leaves no more than those of one interval")
  func countsAreFew() throws {
    try twilio.configure(#""maxSends":1000000"#)
    try add("end_user_ip", max: 1, interval: 10)

    for number in 0..<200 {
      #expect(try create("value \(number)").answer.hasPrefix("201 "))
      try twilio.advance(1)
    }

    let counts = try twilio.sandbox.records.all(ofProvider: "twilio", kind: "hits", limit: 1000)
    #expect(counts.count <= 12)
  }

  @Test("a clock that is set back starts a new window")
  func clockSetBack() throws {
    try add("end_user_ip", max: 1, interval: 60)
    #expect(try create("a").answer.hasPrefix("201 "))
    try twilio.advance(-3600)

    #expect(try create("a").answer.hasPrefix("201 "))
  }

  private func add(_ name: String, max: Int? = nil, interval: Int = 60) throws {
    #expect(try twilio.post(Self.limits, ["UniqueName": name]).answer.hasPrefix("201 "))
    guard let max else { return }
    let form: KeyValuePairs = ["Max": String(max), "Interval": String(interval)]
    #expect(try twilio.post("\(Self.limits)/\(name)/Buckets", form).answer.hasPrefix("201 "))
  }

  private func create(_ value: String) throws -> Exchange {
    try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "RateLimits": #"{ "end_user_ip": "\#(value)" }"#])
  }
}

extension Exchange {
  /// The body of a response.
  var fields: Fields { get throws { try Fields(Array(answer.utf8.dropFirst(4))) } }

  /// The SID of the resource in the response.
  var sid: String { get throws { try fields.string("sid") } }
}
