import HTTP
import Support
import Testing

@Suite("Twilio · full sandboxes", .contract("twilio-verify.md 13.1"))
struct AccountTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("a sandbox that is full is 20503")
  func full() throws {
    let limited = try twilio.world.send(
      .json(.patch, "/control/sandboxes/default", #"{"limits":{"messages":1}}"#))
    try #require(limited.answer.hasPrefix("200 "), "\(limited.answer)")
    #expect(try twilio.create().answer.hasPrefix("201 "))

    let exchange = try twilio.create()

    #expect(exchange.answer == errorAnswer(503, 20503, "Service unavailable"))
    #expect(exchange.why?.hasPrefix("limits.messages: ") == true)
  }
}
