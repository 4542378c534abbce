import HTTP
import Support
import Testing

/// The other behaviours are in `Checks/Requests.http`.
@Suite("Twilio · unknown requests", .contract("twilio-verify.md 2.5, 13.1"))
struct UnknownRequestTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("an unknown path of a Twilio host is 20404")
  func unknownPath() throws {
    var headers = TwilioWorld.credentials
    headers.add("Host", "verify.twilio.com")
    try twilio.send(Request(.get, Target("/v2/Service/VA1"), headers: headers))
      .matches(golden: "unknown-path")
  }

  @Test("an unreadable form is 60200 and reports nothing")
  func brokenForm() throws {
    let exchange = try twilio.send(
      .to(TwilioWorld.verifications, .post, headers: TwilioWorld.credentials, body: Array("To=%2".utf8)))

    exchange.matches(golden: "broken-escape")
    #expect(twilio.world.reports == [])
  }

  @Test("a path with a broken escape is 60200")
  func brokenPath() throws {
    #expect(try twilio.fetch("%2").answer == errorAnswer(400, 60200, "Invalid parameter: verification"))
  }
}
