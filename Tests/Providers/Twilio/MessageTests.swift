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

  @Test(
    "a call asks for a key before it reads the code, unless the Service has that off",
    arguments: [true, false])
  func key(asks: Bool) throws {
    try twilio.set(["DtmfInputRequired": "\(asks)"])
    _ = try twilio.started(to: "+12025550136", over: "call")

    let message = try #require(try twilio.inbox("+12025550136").last)

    #expect((message.code == nil) == asks)
    #expect(try twilio.sandbox.calls.find(message.ordinal)?.key == (asks ? Call.Key.none : .notAsked))
  }

  @Test("a number that may be somebody's is an invalid parameter where the sandbox is told so")
  func strangers() throws {
    let strict = try TwilioWorld(numbers: .safeOnly)

    let answer = try strict.create(to: "+14155551234")

    #expect(answer.answer.hasPrefix("400 "))
    #expect(answer.answer.contains("Invalid parameter `To`: +14155551234"))
    #expect(try strict.sandbox.messages.submitted(.init()) == [])
    #expect(try strict.started().status == "pending")
    #expect(try strict.started(to: "ana@example.test", over: "email").status == "pending")
    #expect(try twilio.started(to: "+14155551234").status == "pending")
  }

  @Test("a line that takes no texts gets none, and the code by a call")
  func landline() throws {
    _ = try twilio.started(to: "+442079460001")
    #expect(try twilio.inbox("+442079460001") == [])

    _ = try twilio.started(to: "+442079460001", over: "call")

    #expect(try twilio.inbox("+442079460001").map(\.channel) == [.call])
  }

  @Test("a submission that the carrier refuses leaves the verification waiting, and the next one arrives")
  func throttled() throws {
    let first = try twilio.started(to: "+12025550133")
    #expect(try twilio.inbox("+12025550133") == [])

    let second = try twilio.started(to: "+12025550133")

    #expect(first.sid == second.sid)
    #expect(try twilio.inbox("+12025550133").count == 1)
  }

  @Test("what the carrier does to the message does not change the answer")
  func undeliverable() throws {
    let verification = try twilio.started(to: "+12025550130")

    #expect(verification.status == "pending")
    #expect(try twilio.inbox("+12025550130") == [])
  }
}
