import HTTP
import Testing

@Suite("HTTP · byte search")
struct ByteSearchTests {
  @Test(
    "a value is found wherever it is",
    arguments: [
      ("+1202", "+1202", true), ("+1202", "to=+1202", true), ("+1202", "+1202&a", true),
      ("+1202", "+120+1202", true), ("11", "1211", true), ("aab", "aaaab", true), ("+1202", "+120", false),
      ("+1202", "", false), ("1", "1", true), ("ab", "ba", false), ("é", "café", true),
    ])
  func search(value: String, text: String, isFound: Bool) {
    #expect(ByteSearch(for: value).isFound(in: Array(text.utf8)) == isFound)
  }

  @Test("the time does not grow with the length of the value")
  func repeated() {
    let text = [UInt8](repeating: 0x61, count: 1_000_000)
    #expect(!ByteSearch(for: [0x62] + text.prefix(500_000)).isFound(in: text))
    #expect(ByteSearch(for: text.prefix(500_000)).place(in: text, from: 500_000) == 500_000..<1_000_000)
  }

  @Test(
    "digits are found unless they are part of a longer number",
    arguments: [
      ("12", "12", true), ("12", "+12", true), ("12", "a12b", true), ("12", "123", false),
      ("12", "012", false),
      ("12", "121 12", true), ("12", "1212", false), ("12", "", false),
      ("", "12", false), ("", "", true),
    ])
  func digits(digits: String, text: String, isFound: Bool) {
    #expect(DigitSearch(for: digits).isFound(in: Array(text.utf8)) == isFound)
  }
}
