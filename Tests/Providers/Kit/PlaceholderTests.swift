import ProviderKit
import Testing

@Suite("Provider kit · placeholders")
struct PlaceholderTests {
  private let code = Placeholder("{{code}}")

  @Test(
    "each place is filled, and nothing else changes",
    arguments: [
      ("", ""), ("no place", "no place"), ("{{code}}", "12"), ("Your code: {{code}}.", "Your code: 12."),
      ("{{code}}{{code}} or {{code}}", "1212 or 12"), ("{{{code}}}", "{12}"), ("{{cod", "{{cod"),
      ("{{Code}}", "{{Code}}"), ("é{{code}}é 👩‍👩‍👧", "é12é 👩‍👩‍👧"), ("{{code}}\u{301}", "12\u{301}"),
    ])
  func filling(text: String, filled: String) {
    #expect(code.fill(text, with: "12") == filled)
    #expect(code.isFound(in: text) == (text != filled))
  }

  @Test("a value with the placeholder is not filled again")
  func value() { #expect(code.fill("a {{code}}", with: "{{code}} b") == "a {{code}} b") }
}
