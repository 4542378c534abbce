import Basics
import Testing

@Suite("Domain · durations as text")
struct DurationTextTests {
  @Test(
    "a duration is parsed from numbers with units",
    arguments: [
      ("11m", 660_000), ("601s", 601_000), ("1h30m", 5_400_000), ("250ms", 250), ("3d", 259_200_000),
      ("0s", 0),
      ("1d1h1m1s1ms", 90_061_001), ("007s", 7000), ("365242d", 31_556_908_800_000),
    ] as [(String, Int64)])
  func reading(text: String, milliseconds: Int64) {
    #expect(Duration(text: text) == .milliseconds(milliseconds))
  }

  @Test(
    "other text is not a duration",
    arguments: [
      "", "11", "m", "-5m", "+5m", "1.5h", "5 m", "5m ", "5M", "5min", "1h30", "5w", "٣m", "5µs", "m5",
      "400000d", "9223372036854775807ms", "9223372036854775808ms", "99999999999999999999d",
    ])
  func refusals(text: String) {
    #expect(Duration(text: text) == nil)
  }

  @Test(
    "a duration is written as the shortest text that parses to it",
    arguments: [
      (0, "0s"), (1, "1ms"), (250, "250ms"), (1000, "1s"), (61_000, "1m1s"), (600_000, "10m"),
      (5_400_000, "1h30m"),
      (90_061_001, "1d1h1m1s1ms"), (86_400_000, "1d"),
    ] as [(Int64, String)])
  func writing(milliseconds: Int64, text: String) {
    let span = Duration.milliseconds(milliseconds)

    #expect(span.text == text)
    #expect(Duration(text: span.text) == span)
  }

  @Test("milliseconds are rounded towards zero", arguments: [(1_999_999, 1), (-1_999_999, -1), (999, 0)])
  func rounding(nanoseconds: Int, milliseconds: Int64) {
    #expect(Duration.nanoseconds(nanoseconds).milliseconds == milliseconds)
  }
}
