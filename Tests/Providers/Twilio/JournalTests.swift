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
