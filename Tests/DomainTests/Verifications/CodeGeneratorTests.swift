import Domain
import Numbers
import Testing

@Suite("Domain · codes")
struct CodeGeneratorTests {
  let world: World
  let claim = Claim(provider: "acme", owner: "shop", destination: "+12025550100")

  init() throws { world = try World() }

  @Test("a code depends on the entropy")
  func entropy() throws {
    #expect(world.sandbox.codes.code(for: claim, series: 1, length: 6, subscriber: nil) == "413618")
  }

  @Test("a subscriber's fixed code wins, whatever its length")
  func pinned() throws {
    var subscriber = Subscriber(happyLineOf: try #require(PhoneNumber("+12025550100")))
    subscriber.code = "4711"

    #expect(world.sandbox.codes.code(for: claim, series: 1, length: 6, subscriber: subscriber) == "4711")
  }

  @Test("later codes depend on a new entropy seed")
  func newSeed() throws {
    try world.sandbox.set(entropySeed: 7)

    #expect(world.sandbox.codes.code(for: claim, series: 1, length: 6, subscriber: nil) == "964980")
  }
}
