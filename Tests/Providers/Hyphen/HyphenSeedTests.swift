import Support
import Testing

@Suite("Hyphen · seeds", .contract("hyphen.md 8"))
struct HyphenSeedTests {
  @Test("a device of a seed that has no name is named by its model")
  func names() throws {
    let world = try HyphenWorld()
    try world.seed(
      #"{"accounts":[{"email":"ann@example.test","devices":[{"deviceModel":"Pixel 9"},{"preferred":true}]}]}"#
    )

    let answer = try world.ask(Phone("new"), user: "ann@example.test").answer

    #expect(answer.hasPrefix("200"))
    #expect(answer.contains(#""name":"Phone""#))
  }
}
