import Basics
import Foundation
import Testing

@Suite("Domain · timestamps")
struct TimestampTests {
  /// A time in each of its forms.
  struct Form: CustomTestStringConvertible, Sendable {
    let milliseconds: Int64
    let seconds: String
    let fraction: String
    let http: String

    var testDescription: String { fraction }
  }

  static let forms = [
    Form(
      milliseconds: 0, seconds: "1970-01-01T00:00:00Z", fraction: "1970-01-01T00:00:00.000Z",
      http: "Thu, 01 Jan 1970 00:00:00 GMT"),
    Form(
      milliseconds: -1, seconds: "1969-12-31T23:59:59Z", fraction: "1969-12-31T23:59:59.999Z",
      http: "Wed, 31 Dec 1969 23:59:59 GMT"),
    Form(
      milliseconds: 784_111_777_000, seconds: "1994-11-06T08:49:37Z", fraction: "1994-11-06T08:49:37.000Z",
      http: "Sun, 06 Nov 1994 08:49:37 GMT"),
    Form(
      milliseconds: 1_767_608_430_412, seconds: "2026-01-05T10:20:30Z", fraction: "2026-01-05T10:20:30.412Z",
      http: "Mon, 05 Jan 2026 10:20:30 GMT"),
    Form(
      milliseconds: 951_782_400_005, seconds: "2000-02-29T00:00:00Z", fraction: "2000-02-29T00:00:00.005Z",
      http: "Tue, 29 Feb 2000 00:00:00 GMT"),
    Form(
      milliseconds: 1_709_251_199_999, seconds: "2024-02-29T23:59:59Z", fraction: "2024-02-29T23:59:59.999Z",
      http: "Thu, 29 Feb 2024 23:59:59 GMT"),
    Form(
      milliseconds: 4_107_542_400_000, seconds: "2100-03-01T00:00:00Z", fraction: "2100-03-01T00:00:00.000Z",
      http: "Mon, 01 Mar 2100 00:00:00 GMT"),
    Form(
      milliseconds: Timestamp.earliest.milliseconds, seconds: "0001-01-01T00:00:00Z",
      fraction: "0001-01-01T00:00:00.000Z", http: "Mon, 01 Jan 0001 00:00:00 GMT"),
    Form(
      milliseconds: Timestamp.latest.milliseconds, seconds: "9999-12-31T23:59:59Z",
      fraction: "9999-12-31T23:59:59.999Z", http: "Fri, 31 Dec 9999 23:59:59 GMT"),
  ]

  @Test("a time is written in whole seconds, in milliseconds and for the Date field", arguments: forms)
  func writing(form: Form) {
    let time = Timestamp(milliseconds: form.milliseconds)

    #expect(
      [time.iso8601, time.iso8601Milliseconds, time.httpDate] == [form.seconds, form.fraction, form.http])
  }

  @Test("text with milliseconds parses to the same time", arguments: forms)
  func reading(form: Form) {
    #expect(Timestamp(iso8601: form.fraction) == Timestamp(milliseconds: form.milliseconds))
  }

  @Test(
    "a fraction may have any number of digits; three are used",
    arguments: [
      (".5", 500), (".41", 410), (".412", 412), (".4129", 412), (".000000001", 0),
      (".12345678901234567890123456789012345678901234567890", 123),
    ] as [(String, Int64)])
  func fractions(fraction: String, milliseconds: Int64) {
    let time = Timestamp(iso8601: "2026-01-05T10:20:30\(fraction)Z")

    #expect(time == Timestamp(milliseconds: 1_767_608_430_000 + milliseconds))
  }

  @Test(
    "other text is not a time",
    arguments: [
      "", "now", "2026-01-05", "2026-01-05T10:20:30", "2026-01-05T10:20:30z", "2026-01-05t10:20:30Z",
      "2026-01-05 10:20:30Z", "2026-01-05T10:20:30+00:00", "2026-01-05T10:20:30+01:00",
      "2026-01-05T10:20:30.Z",
      "2026-01-05T10:20:30.4.1Z", "2026-01-05T10:20:30,412Z", "2026-01-05T10:20:30.-1Z",
      "2026-1-05T10:20:30Z0",
      "2026-13-05T10:20:30Z", "2026-00-05T10:20:30Z", "2026-01-00T10:20:30Z", "2026-01-32T10:20:30Z",
      "2026-04-31T10:20:30Z", "2025-02-29T10:20:30Z", "2100-02-29T10:20:30Z", "1900-02-29T10:20:30Z",
      "2026-01-05T24:00:00Z", "2026-01-05T10:60:30Z", "2026-01-05T10:20:60Z", "+026-01-05T10:20:30Z",
      "2026-01-05T10:20:30ZZ", "２026-01-05T10:20:30Z", " 2026-01-05T10:20:30Z", "12026-01-05T10:20:30Z",
      "0000-12-31T23:59:59Z", "-001-01-01T00:00:00Z",
    ])
  func refusals(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test("every time between the years 1 and 9999 is written as by Foundation, and parses to the same time")
  func agreement() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var state: UInt64 = 1
    for _ in 0..<5000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Foundation changes to the Julian calendar before 1582, so the property is checked from there on.
      let milliseconds = Int64(state >> 16) % 265_600_000_000_000 - 12_200_000_000_000
      let time = Timestamp(milliseconds: milliseconds)
      let text = style.format(Date(timeIntervalSince1970: Double(milliseconds) / 1000 + 0.0001))

      #expect(time.iso8601Milliseconds == text)
      #expect(Timestamp(iso8601: text) == time)
    }
  }

  @Test("durations are added, subtracted and measured")
  func arithmetic() {
    let time = Timestamp("2026-01-05T10:20:30Z")

    #expect(time + .seconds(90) == Timestamp("2026-01-05T10:22:00Z"))
    #expect(time - .milliseconds(1) == Timestamp("2026-01-05T10:20:29.999Z"))
    #expect(Timestamp("2026-01-06T10:20:30Z") - time == .seconds(86_400))
  }

  @Test(
    "a time beyond years 1 to 9999 becomes the first or the last one",
    arguments: [Int64.min, -62_135_596_800_001, 253_402_300_800_000, .max])
  func limits(milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)

    #expect(time == (milliseconds < 0 ? .earliest : .latest))
    #expect(["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].contains(time.iso8601Milliseconds))
  }

  @Test(
    "arithmetic with any duration stays within years 1 to 9999",
    arguments: [
      Duration.seconds(Int64.max), .seconds(Int64.min), .milliseconds(Int64.max), .milliseconds(Int64.min),
      .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.min) - .seconds(Int64.max), .maximum,
    ])
  func saturation(span: Duration) {
    for time in [Timestamp.earliest, Timestamp(milliseconds: 0), .latest] {
      let (later, earlier) = (time + span, time - span)

      #expect(span > .zero ? later == .latest : later == .earliest)
      #expect(span > .zero ? earlier == .earliest : earlier == .latest)
    }
    #expect(abs(span.milliseconds) <= Duration.maximum.milliseconds)
    #expect(abs(span.wholeSeconds) <= 315_537_897_600)
  }

  @Test("the longest duration is that between the first and the last time")
  func longestDuration() {
    #expect(Timestamp.latest - .earliest == .milliseconds(Duration.maximum.milliseconds - 1))
    #expect(Timestamp.earliest - .latest == .milliseconds(1 - Duration.maximum.milliseconds))
  }

  @Test("an earlier time is less than a later one")
  func order() {
    #expect(Timestamp(milliseconds: -5) < Timestamp(milliseconds: 3))
  }
}
