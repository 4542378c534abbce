import Domain
import Testing

@Suite("Domain · names of sandboxes")
struct SandboxNameTests {
  @Test(
    "a name is 1 to 64 letters, digits, dashes, underscores and dots",
    arguments: ["a", "ci-17", "A_b.9", "...", String(repeating: "x", count: 64)])
  func names(text: String) {
    #expect(SandboxName(text)?.text == text)
  }

  @Test(
    "other text is not a name",
    arguments: ["", ".", "..", "a/b", "a b", "a%20b", "é", "a\n", String(repeating: "x", count: 65)])
  func others(text: String) {
    #expect(SandboxName(text) == nil)
  }
}
