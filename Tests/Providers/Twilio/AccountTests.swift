import HTTP
import Support
import Testing

@Suite("Twilio · what the account lacks", .contract("twilio-verify.md 13.1, 13.2, 13.4"))
struct AccountTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test(
    "an email needs a mailer with a template, a sender and credits; other channels do not",
    arguments: [
      ("mailer", 400, 60217, "Invalid Service configuration"),
      ("mailerTemplate", 400, 60218, "SendGrid Template is not active"),
      ("mailerPlaceholders", 400, 60219, "SendGrid Template does not contain required placeholders"),
      ("mailerSender", 403, 60222, "SendGrid from address does not match a verified Sender Identity"),
      ("mailerCredits", 401, 60603, "SendGrid credits exceeded"),
      ("mailerUser", 401, 60604, "SendGrid user is not authorized"),
    ])
  func mailer(setup: String, status: Int, code: Int, text: String) throws {
    try twilio.configure(#""missingSetup":["\#(setup)"]"#)

    let email = try twilio.create(to: "ana@example.test", over: "email")

    #expect(email.answer == errorAnswer(status, code, text))
    #expect(email.why == "the setting missingSetup has \(setup)")
    #expect(try twilio.create().answer.hasPrefix("201 "))
  }

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
