import Testing

@testable import Domain

@Suite("Domain · patterns of texts")
struct TextPatternTests {
  private func first(_ pattern: String, in text: String) throws -> String? {
    var steps = TextPattern.maxSteps
    return try TextPattern(pattern).first(in: text, steps: &steps)
  }

  @Test(
    "the first group of the first match is found, or the match",
    arguments: [
      (#"Order (\d+)"#, "Order 48291, table 7734", "48291"), ("[A-Z0-9]{6}", "Hello, K7WQ2P", "K7WQ2P"),
      ("a|bc|d", "xxbc", "bc"), ("^a?b{2,3}?$", "abb", "abb"),
      (#"(?i)code\W+(\d{4,})"#, "CODE: 48291", "48291"),
      ("[^a]+", "aaabbb", "bbb"), ("[]a]", "a", "a"), ("(a)|b", "b", "b"), ("(?:ab)+", "ababx", "abab"),
      ("a.c", "a\nc abc", "abc"), (#"[\d-x]+"#, "3-x", "3-x"), (#"\bk\w"#, "ak kb", "kb"),
      ("(?i)É", "é", "é"),
    ])
  func matches(pattern: String, text: String, found: String) throws {
    #expect(try first(pattern, in: text) == found)
  }

  @Test(
    "other texts have none, and an empty match counts for none",
    arguments: [(#"\b\d{4}\b"#, "a12345 6789x"), ("x*", "aaa"), ("^b", "ab"), (#"\Ba"#, "a"), ("a$", "ab")])
  func misses(pattern: String, text: String) throws {
    #expect(try first(pattern, in: text) == nil)
  }

  @Test(
    "a mistake says what was expected",
    arguments: [
      ("(", ") after ("), ("a)", "( before )"), ("[", "] after ["), ("a{2", "{2}, {2,} or {2,6}"),
      ("a{3,2}", "{2}, {2,} or {2,6}"), ("a**", "something before *"), (#"\"#, #"a character after \"#),
      ("(?=a)", "( ) or (?: ), no other group"), ("[z-a]", "a rising range within [ ]"),
      ("", "1 to 200 characters"), ("a{400}b{400}", "less repetition"),
      (String(repeating: "(", count: 21), "at most 20 groups in each other"),
    ])
  func mistakes(pattern: String, expected: String) {
    let mistake = #expect(throws: TextPattern.Mistake.self) { try TextPattern(pattern) }

    #expect(mistake?.expected == expected)
  }

  @Test("a pattern that others need years for ends, and one that is too slow is refused")
  func steps() throws {
    #expect(try first("(a+)+b", in: String(repeating: "a", count: 1600)) == nil)

    #expect(throws: TextPattern.Mistake.self) {
      try first("(?:a?){200}b", in: String(repeating: "a", count: 6400))
    }
  }
}
