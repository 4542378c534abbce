import JSON
import Testing

@Suite("JSON · decimal digits")
struct DecimalTests {
  @Test(
    "only digits that fit 64 bits are a number",
    arguments: [
      ("0", 0), ("200", 200), ("-315619200000", -315_619_200_000), ("9223372036854775807", .max),
      ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
      ("99999999999999999999", nil), ("", nil), ("-", nil), ("+1", nil), ("1 ", nil), ("1.5", nil),
    ] as [(String, Int64?)])
  func decimal(text: String, number: Int64?) {
    let parsed = Array(text.utf8).withUnsafeBufferPointer { Int64(decimal: $0[...]) }

    #expect(parsed == number)
  }
}
