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

  @Test(
    "a fault with only a status gets Twilio's general error of that status",
    arguments: [
      (401, 20003), (404, 20404), (405, 20004), (429, 20429), (500, 20500), (503, 20503), (400, 60200),
    ])
  func byStatus(status: Int, code: Int) throws {
    try fault(#""status":\#(status)"#)

    let refusal = try twilio.create().decode(ErrorAnswer.self)

    #expect(refusal.code == code)
    #expect(refusal.status == status)
  }

  @Test("too many requests have Retry-After, and that of a fault replaces it")
  func waiting() throws {
    try fault(#""status":429"#)
    let usual = try twilio.create().headers.values("Retry-After")
    try fault(#""status":429,"retryAfter":7"#)

    #expect(usual == ["1"])
    #expect(try twilio.create().headers.values("Retry-After") == ["7"])
  }

  @Test("a fault can override the status of an error number")
  func both() throws {
    try fault(#""status":418,"code":"60203""#)

    #expect(try twilio.create().answer == errorAnswer(418, 60203, "Max send attempts reached"))
  }

  @Test("a fault can set Retry-After")
  func retryAfter() throws {
    try fault(#""code":"20429","retryAfter":7"#)

    let exchange = try twilio.create()

    exchange.matches(golden: "fault-retry-after")
    #expect(exchange.headers["Retry-After"] == "7")
  }

  @Test("a fault can start at the nth request and end after some times")
  func turns() throws {
    try fault(#""nth":2,"times":2,"status":500"#)

    let answers = try (0..<4).map { _ in try twilio.create().answer.prefix(3) }

    #expect(answers == ["201", "500", "500", "201"])
  }

  @Test("a fault for one number matches the number in form and path")
  func number() throws {
    try fault(#""number":"+12025550101","code":60410"#)

    #expect(try twilio.create(to: "+12025550101").decode(ErrorAnswer.self).code == 60410)
    #expect(try twilio.fetch("%2B12025550101").decode(ErrorAnswer.self).code == 60410)
    #expect(try twilio.started().status == "pending")
  }

  @Test("a fault of another route has no effect")
  func elsewhere() throws {
    try fault(#""route":"fetchService","status":500"#)

    #expect(try twilio.started().status == "pending")
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
