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
}
