import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("SIM tokens")
struct SIMTokenTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test("a token tells the number of its card, once")
  func once() throws {
    let token = try world.sandbox.simTokens.issue(for: number)

    #expect(token.expiresAt == world.sandbox.clock.now + .seconds(300))
    #expect(try world.sandbox.simTokens.redeem(token.text) == number)
    #expect(try world.sandbox.simTokens.redeem(token.text) == nil)
    #expect(try world.sandbox.simTokens.redeem("") == nil)
  }

  @Test("the token of an earlier card tells nothing")
  func earlierCard() throws {
    let token = try world.sandbox.simTokens.issue(for: number)
    let swap = try SubscriberChange(Fields(Array(#"{"event":"simSwap"}"#.utf8)))
    _ = try world.sandbox.subscribers.apply(swap, to: number)

    #expect(try world.sandbox.simTokens.redeem(token.text) == nil)
  }
}
