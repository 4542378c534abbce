import Domain
import HTTP
import Support
import Testing

private let unknownAccount = "AC99999999999999999999999999999999"
private let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

@Suite("Twilio · authentication", .contract("twilio-verify.md 1.2"))
struct AuthenticationTests {
  @Test(
    "an account and its API key see the same resources",
    arguments: [
      (TwilioWorld.account, TwilioWorld.token),
      ("SK00000000000000000000000000000001", "SandboxKeySecret0000000000000001"),
    ])
  func known(name: String, secret: String) throws {
    let twilio = try TwilioWorld(acceptsUnknownAccounts: false)
    let key = Request.basic(name, secret)

    let service = try twilio.get(path, as: key).decode(ServiceAnswer.self)
    let verification = try twilio.post(
      TwilioWorld.verifications, ["To": TwilioWorld.number, "Channel": "sms"], as: key
    ).decode(VerificationAnswer.self)

    #expect(service.text("account_sid") == TwilioWorld.account)
    #expect(verification.accountSid == TwilioWorld.account)
  }

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

  @Test(
    "a known name with a wrong secret is 20003 in open and strict sandboxes",
    arguments: [
      (TwilioWorld.account, ""), (TwilioWorld.account, "wrong"),
      (TwilioWorld.account, "SandboxKeySecret0000000000000001"),
      (TwilioWorld.account, "0123456789abcdef0123456789abcdeF"),
      ("SK00000000000000000000000000000001", TwilioWorld.token),
    ], [true, false])
  func wrongSecret(credentials: (String, String), isOpen: Bool) throws {
    let twilio = try TwilioWorld(acceptsUnknownAccounts: isOpen)

    let exchange = try twilio.get(path, as: Request.basic(credentials.0, credentials.1))

    #expect(exchange.answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(exchange.why == "wrong secret for \(credentials.0)")
  }

  @Test(
    "missing or malformed HTTP Basic credentials are 20003",
    arguments: [
      "", "Bearer abc", "Basic", "Basic ", "Basic !!!", "Basic QUM=", "Basic gICA", "Digest username=AC",
    ])
  func malformed(field: String) throws {
    let twilio = try TwilioWorld()

    let exchange = try twilio.get(path, as: field.isEmpty ? [:] : ["Authorization": field])

    #expect(exchange.answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(exchange.headers["WWW-Authenticate"] == "Basic realm=\"Twilio API\"")
    if field.isEmpty { exchange.matches(golden: "no-credentials") }
  }

  @Test(
    "a user name that is not a SID is 20003 with its own text, in open and strict sandboxes",
    arguments: ["me", "", "AC1", "VA00000000000000000000000000000001", "ACzz000000000000000000000000000000"],
    [true, false])
  func invalidUserName(name: String, isOpen: Bool) throws {
    let twilio = try TwilioWorld(acceptsUnknownAccounts: isOpen)

    let exchange = try twilio.get(path, as: Request.basic(name, "secret"))

    #expect(exchange.answer == errorAnswer(401, 20003, "Authentication Error - invalid username"))
    if name == "me", isOpen { exchange.matches(golden: "invalid-user-name") }
  }

  @Test("the scheme's name is accepted in any letter case", arguments: ["basic", "BASIC"])
  func scheme(word: String) throws {
    let twilio = try TwilioWorld()
    let field = try #require(TwilioWorld.credentials["Authorization"]).replacing("Basic", with: word)

    let exchange = try twilio.get(path, as: ["Authorization": field])

    #expect(try exchange.decode(ServiceAnswer.self).sid == TwilioWorld.service)
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
