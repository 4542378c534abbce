import Basics
import Markup
import Testing

@testable import Console

/// Source: LOOK.md 1.6.
struct ReasonTests {
  private let now = Timestamp(iso8601: "2026-01-05T10:50:00Z")!

  @Test(
    "times that programs read become times of day, with the date if it is another",
    arguments: [
      ("it expired at 2026-01-05T10:47:00Z", "it expired at 10:47:00"),
      ("it expired at 2026-01-04T10:47:00Z", "it expired at 2026-01-04 10:47:00"),
      ("from 2026-01-05T10:47:00.250Z, until 2026-01-05T10:48:00Z;", "from 10:47:00, until 10:48:00;"),
      ("expected a time such as 2026-13-05T10:47:00Z", "expected a time such as 2026-13-05T10:47:00Z"),
      ("To: expected  a number", "To: expected  a number"),
    ])
  func times(text: String, shown: String) { #expect(text.withTimes(at: now) == shown) }

  @Test(
    "46 E3: blanks at the ends of a value and invisible characters are marked",
    arguments: [
      (" 12025550100", "␣|12025550100"), ("a b  ", "a b|␣␣"), ("  ", "␣␣"), ("", ""), ("a b", "a b"),
      ("\u{202A}+1\u{A0}2", "U+202A|+1|U+00A0|2"), ("é😀", "é😀"),
    ])
  func invisible(text: String, shown: String) {
    let html = String(decoding: VisibleText(text).html.bytes, as: UTF8.self)
    let marked = html.replacing("</span><span class=\"blank\">", with: "")
      .split { "<>".contains($0) }.filter { $0 != "span class=\"blank\"" && $0 != "/span" }

    #expect(marked.joined(separator: "|") == shown)
  }
}
