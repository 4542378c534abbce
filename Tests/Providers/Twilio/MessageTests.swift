import Domain
import Support
import Testing

@Suite("Twilio · messages", .contract("twilio-verify.md 4.4"))
struct MessageTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("the text has the Service's name and the code", arguments: ["sms", "call", "whatsapp", "rcs"])
  func text(channel: String) throws {
    let verification = try twilio.started(over: channel)

    let message = try #require(try twilio.inbox().last)

    let code = try #require(message.code)
    #expect(message.text == "Your Sandbox Service verification code is: \(code)")
    #expect(message.provider == "twilio")
    #expect(message.reference == verification.sid)
    #expect(message.channel.rawValue == channel)
  }

  @Test("an email has the same text")
  func email() throws {
    _ = try twilio.started(to: "ana@example.test", over: "email")

    let message = try #require(try twilio.inbox("ana@example.test").last)

    #expect(
      message.text == "Your Sandbox Service verification code is: \(try twilio.code(for: "ana@example.test"))"
    )
    #expect(message.channel == .email)
  }

  @Test("a Service can add a warning")
  func warning() throws {
    try twilio.set(["DoNotShareWarningEnabled": "true", "FriendlyName": "Acme"])
    _ = try twilio.started()

    let text = try #require(try twilio.inbox().last?.text)

    #expect(
      text == "Your Acme verification code is: \(try twilio.code()). Don't share this code with anyone.")
  }

  @Test("an app hash adds what Android needs")
  func appHash() throws {
    _ = try twilio.post(
      TwilioWorld.verifications, ["To": TwilioWorld.number, "Channel": "sms", "AppHash": "He42w354ol9"])

    let text = try #require(try twilio.inbox().last?.text)

    #expect(text == "<#> Your Sandbox Service verification code is: \(try twilio.code()) He42w354ol9")
  }

  @Test("a custom friendly name replaces the Service's name")
  func customFriendlyName() throws {
    _ = try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "CustomFriendlyName": "Blue Bank"])

    let text = try #require(try twilio.inbox().last?.text)

    #expect(text == "Your Blue Bank verification code is: \(try twilio.code())")
  }

  @Test("a rejected create sends nothing")
  func refusedCreate() throws {
    _ = try twilio.create(over: "fax")

    #expect(try twilio.inbox() == [])
  }

  @Test(
    "a call asks for a key before it reads the code, unless the Service has DtmfInputRequired off",
    arguments: [true, false])
  func key(asks: Bool) throws {
    try twilio.set(["DtmfInputRequired": "\(asks)"])
    _ = try twilio.started(to: "+12025550136", over: "call")

    let message = try #require(try twilio.inbox("+12025550136").last)

    #expect((message.code == nil) == asks)
    #expect(try twilio.sandbox.calls.find(message.ordinal)?.key == (asks ? Call.Key.none : .notAsked))
  }

  @Test("with --numbers safe-only, a real number is an invalid parameter")
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

  @Test("a landline gets no text, but the code by a call")
  func landline() throws {
    _ = try twilio.started(to: "+442079460001")
    #expect(try twilio.inbox("+442079460001") == [])

    _ = try twilio.started(to: "+442079460001", over: "call")

    #expect(try twilio.inbox("+442079460001").map(\.channel) == [.call])
  }

  @Test("after a message that the carrier rejects, the verification is pending and the next message arrives")
  func throttled() throws {
    let first = try twilio.started(to: "+12025550133")
    #expect(try twilio.inbox("+12025550133") == [])

    let second = try twilio.started(to: "+12025550133")

    #expect(first.sid == second.sid)
    #expect(try twilio.inbox("+12025550133").count == 1)
  }

  @Test("the outcome of the message does not change the response")
  func undeliverable() throws {
    let verification = try twilio.started(to: "+12025550130")

    #expect(verification.status == "pending")
    #expect(try twilio.inbox("+12025550130") == [])
  }
}
