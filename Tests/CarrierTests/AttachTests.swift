import HTTP
import Support
import Testing

@Suite("Carrier · choosing a handset", .contract("carrier.md 4.5"))
struct AttachTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox() }

  @Test("the page lists no landline")
  func page() throws {
    #expect(try !world.send(.to("/handset/attach")).answer.contains("+442079460001"))
  }

  @Test("choosing a handset sets the cookie that the gateway reads")
  func attach() throws {
    _ = try world.send(.json(.post, "/control/sandboxes", #"{"name":"empty","seeds":[]}"#))

    let exchange = try world.send(.to("/s/empty/handset/attach?number=%2B12025550104"))

    exchange.matches(golden: "attached")
    #expect(
      exchange.headers["Set-Cookie"] == "sbx_handset=%2B12025550104; Path=/s/empty; HttpOnly; SameSite=Lax")
  }

  @Test("an invalid number is rejected")
  func badNumber() throws {
    try world.send(.to("/handset/attach?number=12")).matches(golden: "bad-number")
  }
}
