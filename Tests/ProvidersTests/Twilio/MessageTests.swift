import Domain
import Support
import Testing

@Suite("Twilio · texts", .contract("twilio-verify.md 4.4"))
struct MessageTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("the text names the Service and the code", arguments: ["sms", "call", "whatsapp", "rcs"])
  func text(channel: String) throws {
    let verification = try twilio.started(over: channel)

    let message = try #require(try twilio.inbox().last)

    let code = try #require(message.code)
    #expect(message.text == "Your Sandbox Service verification code is: \(code)")
    #expect(message.provider == "twilio")
    #expect(message.reference == verification.sid)
    #expect(message.channel.rawValue == channel)
  }

  @Test("email carries the same text")
  func email() throws {
    _ = try twilio.started(to: "ana@example.test", over: "email")

    let message = try #require(try twilio.inbox("ana@example.test").last)

    #expect(
      message.text == "Your Sandbox Service verification code is: \(try twilio.code(for: "ana@example.test"))"
    )
    #expect(message.channel == .email)
  }

  @Test("a warning follows where the Service has it on")
  func warning() throws {
    try twilio.set(["DoNotShareWarningEnabled": "true", "FriendlyName": "Acme"])
    _ = try twilio.started()

    let text = try #require(try twilio.inbox().last?.text)

    #expect(
      text == "Your Acme verification code is: \(try twilio.code()). Don't share this code with anyone.")
  }

  @Test("with an app hash the text begins and ends as Android wants it")
  func appHash() throws {
    _ = try twilio.post(
      TwilioWorld.verifications, ["To": TwilioWorld.number, "Channel": "sms", "AppHash": "He42w354ol9"])

    let text = try #require(try twilio.inbox().last?.text)

    #expect(text == "<#> Your Sandbox Service verification code is: \(try twilio.code()) He42w354ol9")
  }

  @Test("a custom friendly name stands in the text in place of the Service's")
  func customFriendlyName() throws {
    _ = try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "CustomFriendlyName": "Blue Bank"])

    let text = try #require(try twilio.inbox().last?.text)

    #expect(text == "Your Blue Bank verification code is: \(try twilio.code())")
  }

  @Test("a refused create sends nothing")
  func refusedCreate() throws {
    _ = try twilio.create(over: "fax")

    #expect(try twilio.inbox() == [])
  }

  @Test("what the carrier does to the message does not change the answer")
  func undeliverable() throws {
    let verification = try twilio.started(to: "+12025550130")

    #expect(verification.status == "pending")
    #expect(try twilio.inbox("+12025550130") == [])
  }
}
