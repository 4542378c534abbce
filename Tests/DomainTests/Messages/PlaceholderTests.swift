import Domain
import Testing

@Suite("Messages · placeholders")
struct PlaceholderTests {
  private let marks = Placeholders.doubleBraces

  @Test(
    "each place is filled, and nothing else changes",
    arguments: [
      ("", ""), ("no place", "no place"), ("{{code}}", "12"), ("Your code: {{code}}.", "Your code: 12."),
      ("{{code}}{{code}} or {{code}}", "1212 or 12"), ("{{{code}}}", "{12}"), ("{{cod", "{{cod"),
      ("{{Code}}", "{{Code}}"), ("é{{code}}é 👩‍👩‍👧", "é12é 👩‍👩‍👧"), ("{{code}}\u{301}", "12\u{301}"),
      ("{{ {{code}}", "{{ 12"), ("{{}}{{code}}", "{{}}12"), ("{{name}} {{code}}", "{{name}} 12"),
    ])
  func filling(text: String, filled: String) {
    #expect(marks.fill(text, "code", with: "12") == filled)
    #expect(marks.contains("code", in: text) == (text != filled))
  }

  @Test("marks can be equal, or one letter long")
  func otherMarks() {
    #expect(Placeholders.dollars.fill("$$$CODE$$$ $$A$$ $$CODE", "CODE", with: "12") == "$12$ $$A$$ $$CODE")
    #expect(Placeholders.braces.fill("{to} {from} {{to}}", "to", with: "1") == "1 {from} {1}")
  }

  @Test("a value with names is not filled again")
  func value() {
    #expect(marks.fill("a {{code}}", "code", with: "{{code}} b") == "a {{code}} b")
    let both = marks.fill("{{a}}{{b}}") { ["a": "{{b}}", "b": "{{a}}"][$0] }
    #expect(both == "{{b}}{{a}}")
  }

  @Test("a filled text ends at its limit, with a whole character")
  func limit() {
    let text = marks.fill("{{a}}{{a}}{{a}}") { _ in "x" + String(repeating: "é", count: 20_000) }
    #expect(text.utf8.count == Placeholders.limit)
    #expect(!text.contains("\u{FFFD}"))
  }

  @Test(
    "the time grows with the length of the text, not faster",
    arguments: ["{", "{{", "{{a", "}", "{{}}", "{{a}}", "{{\u{301}"])
  func linear(part: String) {
    // More than an hour if each mark were searched to the end.
    let text = String(repeating: part, count: 1_000_000 / part.utf8.count)
    #expect(marks.fill(text, "none", with: "").utf8.count <= Placeholders.limit)
  }
}
