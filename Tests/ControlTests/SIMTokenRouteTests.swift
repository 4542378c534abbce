import HTTP
import Support
import Testing

@Suite("Control API · SIM tokens", .contract("camara.md 3.8"))
struct SIMTokenRouteTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test("a SIM card gets a token")
  func made() throws {
    try desk.world.send(.to("/control/subscribers/+12025550100/sim-token", .post)).matches(golden: "made")
    try desk.world.send(.to("/control/subscribers/100/sim-token", .post)).matches(golden: "bad-number")
  }
}
