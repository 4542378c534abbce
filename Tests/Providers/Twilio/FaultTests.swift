import Domain
import HTTP
import Support
import Testing

@testable import Twilio

@Suite("Twilio · faults", .contract("twilio-verify.md 13.1, 13.2, 13.4"))
struct FaultTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("every documented error can be injected by its number", arguments: TwilioProvider.errors)
  func rowByNumber(_ row: ErrorRow) throws {
    try fault(#""route":"createVerification","code":\#(row.code)"#)

    let exchange = try twilio.create()

    let (refusal, code) = (try exchange.decode(ErrorAnswer.self), try #require(Int(row.code)))
    #expect(refusal.code == code)
    #expect(refusal.status == row.status)
    // That of 20404 has the path in its middle.
    #expect(refusal.message.hasPrefix(code == 20404 ? "The requested resource /v2/" : row.text))
    #expect(exchange.answer == errorAnswer(row.status, code, refusal.message))
    #expect(exchange.why?.hasPrefix("broken on purpose: fault 1 fails with \(code) ") == true)
    #expect(try twilio.inbox() == [])
    if [60212, 20500].contains(code) { exchange.matches(golden: "fault-\(code)") }
  }

  @Test("a connection is reset after the operation ran")
  func reset() throws {
    try fault(#""damage":"reset""#)

    let exchange = try twilio.create()

    #expect(exchange.transport == .reset)
    #expect(try twilio.inbox().count == 1)
  }

  @Test("a response is garbled after the operation ran")
  func garble() throws {
    try fault(#""damage":"garble""#)

    let exchange = try twilio.world.send(
      .post(
        TwilioWorld.verifications, form: ["To": TwilioWorld.number, "Channel": "sms"],
        headers: TwilioWorld.credentials))

    #expect(exchange.transport == .whole)
    #expect(exchange.answer == "201 <html>garbled")
    #expect(try twilio.inbox().count == 1)
  }

  private func fault(_ members: String) throws {
    try twilio.seed(#"{"faults":[{\#(members)}]}"#)
  }
}
