import Support
import Testing

@Suite("Twilio · PSD2", .contract("twilio-verify.md 4.1, 4.3"))
struct PSD2Tests {
  let twilio: TwilioWorld

  init() throws {
    twilio = try TwilioWorld()
    try twilio.set(["Psd2Enabled": "true"])
  }

  @Test("amount and payee are required on creation")
  func required() throws {
    let none = try twilio.create()
    let amountOnly = try twilio.post(
      TwilioWorld.verifications, ["To": TwilioWorld.number, "Channel": "sms", "Amount": "5"])

    none.matches(golden: "psd2-incomplete")
    #expect(none.answer == errorAnswer(400, 60206, "'Amount' & 'Payee' params are required"))
    #expect(amountOnly.answer == none.answer)
  }

  @Test("amount and payee are in the response, and a check must repeat them")
  func approved() throws {
    let exchange = try start()
    exchange.matches(golden: "psd2")
    let verification = try exchange.decode(VerificationAnswer.self)

    let check = try twilio.post(
      TwilioWorld.check,
      ["To": TwilioWorld.number, "Code": try twilio.code(), "Amount": "€39.99", "Payee": "Acme Inc."])

    check.matches(golden: "psd2")
    let answer = try check.decode(CheckAnswer.self)
    #expect(verification.amount == "€39.99")
    #expect(verification.payee == "Acme Inc.")
    #expect(answer.status == "approved")
    #expect(answer.amount == "€39.99")
  }

  @Test("a check with another or no amount and payee is 60206 and does not count as a check")
  func different() throws {
    _ = try start()
    let code = try twilio.code()

    let none = try twilio.check(code)
    let other = try twilio.post(
      TwilioWorld.check, ["To": TwilioWorld.number, "Code": code, "Amount": "€40", "Payee": "Acme Inc."])

    none.matches(golden: "psd2-different")
    #expect(none.answer == errorAnswer(400, 60206, "'Amount' & 'Payee' params are required"))
    #expect(other.answer == none.answer)
    #expect(try twilio.fetch().decode(VerificationAnswer.self).status == "pending")
  }

  @Test("the call channel is 60214")
  func call() throws {
    let exchange = try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "call", "Amount": "5", "Payee": "Acme"])

    exchange.matches(golden: "psd2-call")
    #expect(exchange.answer == errorAnswer(400, 60214, "Call channel is not supported when using PSD2"))
  }

  private func start() throws -> Exchange {
    try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "Amount": "€39.99", "Payee": "Acme Inc."])
  }
}
