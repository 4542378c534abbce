import HTTP
import Support
import Testing

@Suite("Twilio · journal", .contract("twilio-verify.md 4.4"))
struct JournalTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("without a verification, the journal says that none was ever started")
  func neverStarted() throws {
    #expect(try twilio.check("123456").why == "no verification was started for this destination")
    #expect(try twilio.fetch().why == "no verification was started for this destination")
  }

  @Test("after an approval, the journal says when it was")
  func approved() throws {
    _ = try twilio.started()
    try twilio.advance(61)
    _ = try twilio.check(try twilio.code())
    try twilio.advance(60)

    #expect(try twilio.check("123456").why == "the verification was approved at 2026-01-05T10:21:31Z")
    #expect(try twilio.fetch().why == "the verification was approved at 2026-01-05T10:21:31Z")
    #expect(try twilio.update(to: "canceled").why == "the verification was approved at 2026-01-05T10:21:31Z")
  }

  @Test("after a cancel, the journal says when it was")
  func canceled() throws {
    _ = try twilio.started()
    try twilio.advance(5)
    _ = try twilio.update(to: "canceled")

    #expect(try twilio.check("123456").why == "the verification was canceled at 2026-01-05T10:20:35Z")
  }

  @Test("after expiry, the journal says when it was")
  func expired() throws {
    _ = try twilio.started()
    try twilio.advance(700)

    #expect(try twilio.check("123456").why == "the verification expired at 2026-01-05T10:30:30Z")
    #expect(try twilio.fetch().why == "the verification expired at 2026-01-05T10:30:30Z")
  }

  @Test("for a limit, the journal says when it was reached")
  func limits() throws {
    let verification = try twilio.started()
    for _ in 0..<4 { _ = try twilio.started() }
    #expect(try twilio.create().why == "\(verification.sid) was sent 5 times within 600 s")
    try twilio.checkWrongly(5)
    try twilio.advance(3)

    #expect(
      try twilio.check("0000").why == "the verification reached its check limit at 2026-01-05T10:20:33Z")
    #expect(try twilio.create().why == "the verification reached its check limit at 2026-01-05T10:20:33Z")
  }

  @Test("for an unknown Service, the journal names it")
  func unknownService() throws {
    let exchange = try twilio.get("\(TwilioWorld.services)/VA1")

    #expect(exchange.why == "no Service VA1 for account \(TwilioWorld.account)")
  }

  @Test("a misspelled field is listed as unread, on success and on error")
  func misspelled() throws {
    let created = try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sms", "Chanel": "call", "locale": "de"])
    let rejected = try twilio.post(TwilioWorld.verifications, ["to": TwilioWorld.number, "Channel": "sms"])
    let check = try twilio.post(TwilioWorld.check, ["To": TwilioWorld.number, "code": "123456"])
    let service = try twilio.post(TwilioWorld.services, ["FriendlyName": "Acme", "Codelength": "8"])
    let update = try twilio.post(
      "\(TwilioWorld.services)/\(TwilioWorld.service)", ["CodeLength": "99", "Psd2enabled": "true"])
    let page = try twilio.get("\(TwilioWorld.services)?PageSise=3")
    let status = try twilio.post("\(TwilioWorld.verifications)/\(TwilioWorld.number)", ["status": "canceled"])

    #expect(created.unread == ["Chanel", "locale"])
    #expect(rejected.unread == ["to"])
    #expect(check.unread == ["code"])
    #expect(service.unread == ["Codelength"])
    #expect(update.unread == ["Psd2enabled"])
    #expect(page.unread == ["PageSise"])
    #expect(status.unread == ["status"])
    created.matches(golden: "unknown-parameters")
  }

  @Test("an unknown query field is listed as unread")
  func query() throws {
    #expect(
      try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)?Include=all").unread == ["Include"])
  }

  @Test("a correct request has no unread fields", arguments: ["createVerification", "checkVerification"])
  func nothingUnread(route: String) throws {
    let exchange = try route == "createVerification" ? twilio.create() : twilio.check("123456")

    #expect(exchange.route == route)
    #expect(exchange.unread == [])
  }
}
