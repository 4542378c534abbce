import Basics
import Domain
import HTTP
import Support
import Testing

private let unknownAccount = "AC99999999999999999999999999999999"
private let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

@Suite("Twilio · authentication", .contract("twilio-verify.md 1.2"))
struct AuthenticationTests {

  @Test(
    "an account that is not active is 20005 for all products; its own resource shows the status",
    .contract("https://www.twilio.com/docs/api/errors/20005", read: "2026-11-25"),
    arguments: ["suspended", "closed"])
  func inactive(status: String) throws {
    let twilio = try TwilioWorld()
    try twilio.configure(#""accountStatus":"\#(status)""#)

    let exchange = try twilio.create()
    let paths = [path, "/v2/PhoneNumbers/+12025550100", "\(TwilioWorld.messages).json"]

    if status == "suspended" { exchange.matches(golden: "not-active") }
    #expect(exchange.answer == errorAnswer(401, 20005, "Account not active"))
    #expect(exchange.why == "the setting accountStatus is \(status)")
    for path in paths { #expect(try twilio.get(path).errorCode == 20005) }
    #expect(try twilio.inbox().isEmpty)
    let account = try twilio.get("/2010-04-01/Accounts/\(TwilioWorld.account).json")
    #expect(account.answer.contains(#""status":"\#(status)""#))
    #expect(try twilio.get(path, as: [:]).errorCode == 20003)
  }

  @Test("a strict sandbox rejects an unknown account")
  func strict() throws {
    let twilio = try TwilioWorld(acceptsUnknownAccounts: false)

    let exchange = try twilio.get(path, as: Request.basic(unknownAccount, "whatever"))

    exchange.matches(golden: "unknown-account")
    #expect(exchange.answer == errorAnswer(401, 20003, "Authenticate"))
  }

  @Test("credentials of another sandbox select that sandbox")
  func credentialsChooseSandbox() throws {
    let twilio = try TwilioWorld()
    var origin = Sandbox.Configuration()
    origin.clock = .frozen(TestSandbox.start)
    let other = try #require(try twilio.world.sandboxes.create("other", origin))
    let accounts = try other.accounts.all(of: "twilio")
    let account = try #require(accounts.first { $0.name == $0.account })

    let page = try twilio.get(TwilioWorld.services, as: Request.basic(account.name, account.secret))
    let wrong = try twilio.get(TwilioWorld.services, as: Request.basic(account.name, "wrong"))
    let foreign = try twilio.get(
      "/s/default\(TwilioWorld.services)", as: Request.basic(account.name, account.secret))

    #expect(account.name != TwilioWorld.account)
    #expect(try page.decode(ServicePage.self).names == ["Sandbox Service"])
    #expect(other.journal.exchanges.count == 2)
    #expect(wrong.answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(try foreign.decode(ServicePage.self).names == [])
  }
}
