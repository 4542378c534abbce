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

  @Test("a rate limit is created, fetched, changed, listed and deleted")
  func limit() throws {
    let created = try twilio.post(
      Self.limits, ["UniqueName": "end_user_ip", "Description": "per IP address"])
    created.matches(golden: "created")
    let path = "\(Self.limits)/\(try created.sid)"
    try twilio.get(path).matches(golden: "found")
    try twilio.post(path, ["Description": "per person"]).matches(golden: "changed")
    try twilio.get(Self.limits).matches(golden: "one")
    try twilio.delete(path).matches(golden: "deleted")

    try twilio.get(path).matches(golden: "unknown")
    try twilio.post(path, [:]).matches(golden: "unknown")
    try twilio.delete(path).matches(golden: "unknown")
    try twilio.get(Self.limits + "?PageSize=0").matches(golden: "bad-page-size")
  }

  @Test("a name is taken only once, and has letters, digits, -, _ and . only")
  func names() throws {
    try add("end_user_ip")

    let taken = try twilio.post(Self.limits, ["UniqueName": "end_user_ip"])
    let malformed = try twilio.post(Self.limits, ["UniqueName": "end user ip"])
    let nameless = try twilio.post(Self.limits, ["Description": "per IP address"])

    taken.matches(golden: "name-taken")
    #expect(try taken.decode(ErrorAnswer.self).code == 60208)
    #expect(try malformed.decode(ErrorAnswer.self).code == 60209)
    #expect(nameless.answer == errorAnswer(400, 60200, "Invalid parameter: UniqueName"))
  }

  @Test("the settings limit the number of rate limits and of buckets")
  func maxima() throws {
    try twilio.configure(#""maxRateLimits":1,"maxBuckets":1"#)
    try add("end_user_ip")
    _ = try twilio.post(Self.buckets, ["Max": "1", "Interval": "1"])

    #expect(try twilio.post(Self.limits, ["UniqueName": "b"]).decode(ErrorAnswer.self).code == 60207)
    let second = try twilio.post(Self.buckets, ["Max": "1", "Interval": "2"])
    #expect(try second.decode(ErrorAnswer.self).code == 60210)
  }

  @Test("a bucket is created, fetched, changed, listed and deleted")
  func bucket() throws {
    try add("end_user_ip")
    let created = try twilio.post(Self.buckets, ["Max": "4", "Interval": "60"])
    created.matches(golden: "created")
    let path = "\(Self.buckets)/\(try created.sid)"
    try twilio.get(path).matches(golden: "found")
    try twilio.post(path, ["Max": "5"]).matches(golden: "changed")
    try twilio.get(Self.buckets).matches(golden: "one")
    try twilio.post(Self.buckets, ["Max": "1", "Interval": "60"]).matches(golden: "interval-taken")
    try twilio.post(path, ["Interval": "0"]).matches(golden: "bad-interval")
    try twilio.get("\(Self.limits)/other/Buckets").matches(golden: "unknown-limit")
    try twilio.delete(path).matches(golden: "deleted")

    try twilio.get(path).matches(golden: "unknown")
    try twilio.delete(path).matches(golden: "unknown")
  }

  @Test("a full bucket is 20429, with the seconds to wait and the name of the limit")
  func full() throws {
    try add("end_user_ip", max: 2, interval: 60)
    for _ in 0..<2 { #expect(try create("203.0.113.9").answer.hasPrefix("201 ")) }

    let refused = try create("203.0.113.9")

    refused.matches(golden: "rate-limit-full")
    #expect(refused.answer == errorAnswer(429, 20429, "Too many requests"))
    #expect(refused.headers["Retry-After"] == "60")
    #expect(refused.headers["Twilio-Reached-Rate-Limit"] == "end_user_ip")
    #expect(refused.why == "full rate limits: end_user_ip")
    #expect(try create("203.0.113.10").answer.hasPrefix("201 "))
    try twilio.advance(60)
    #expect(try create("203.0.113.9").answer.hasPrefix("201 "))
  }

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

  @Test("46 B4: a value that is a number with a fraction counts as its text")
  func fractions() throws {
    try add("end_user_ip", max: 1, interval: 60)
    func create(_ value: String) throws -> String {
      try twilio.post(
        TwilioWorld.verifications,
        ["To": TwilioWorld.number, "Channel": "sms", "RateLimits": #"{"end_user_ip":\#(value)}"#]
      ).answer
    }

    #expect(try create("1.5").hasPrefix("201 "))
    #expect(try create("2.5").hasPrefix("201 "))
    #expect(try create(#""1.5""#).hasPrefix("429 "))
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
