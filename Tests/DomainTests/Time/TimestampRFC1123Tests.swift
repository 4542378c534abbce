import Basics
import Testing

@Suite("Domain · timestamps of RFC 1123")
struct TimestampRFC1123Tests {
  @Test(
    "zones are parsed by name and by number",
    arguments: [
      ("Wed, 14 Dec 2016 18:20:12 GMT", "2016-12-14T18:20:12.000Z"),
      ("Wed, 14 Dec 2016 18:20:12 +0000", "2016-12-14T18:20:12.000Z"),
      ("Wed, 14 Dec 2016 11:20:12 -0700", "2016-12-14T18:20:12.000Z"),
      ("14 Dec 2016 18:20:12 UTC", "2016-12-14T18:20:12.000Z"),
      ("Thu, 1 Jan 2026 01:00 +0130", "2025-12-31T23:30:00.000Z"),
      ("wed, 14 dec 2016 18:20:12 gmt", "2016-12-14T18:20:12.000Z"),
      ("Mon, 29 Feb 2016 00:00:00 Z", "2016-02-29T00:00:00.000Z"),
    ])
  func zones(text: String, time: String) {
    #expect(Timestamp(rfc1123: text)?.iso8601Milliseconds == time)
  }

  @Test(
    "other text is not a time",
    arguments: [
      "", "Wed", "Wed, 14 Dec 2016 18:20:12", "Wed, 14 Dec 16 18:20:12 GMT", "Wed, 14 Dez 2016 18:20:12 GMT",
      "Wed, 30 Feb 2016 18:20:12 GMT", "Wed, 14 Dec 2016 25:20:12 GMT", "Wed, 14 Dec 2016 18:20:12 +2400",
      "Wed, 14 Dec 2016 18:20:12 +07", "Wed, 14 Dec 2016 18:20:12 EST", "2016-12-14T18:20:12Z", "1481739612",
      "Wed, 14 Dec 2016 18:20:12.5 GMT", "Wed, 14 Dec 2016 18 GMT", "Wed, -1 Dec 2016 18:20:12 GMT",
      "Wed, 14 Dec 2016 18:20:12 GMT GMT",
    ])
  func nonsense(text: String) {
    #expect(Timestamp(rfc1123: text) == nil)
  }
}
