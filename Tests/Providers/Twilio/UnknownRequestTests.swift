import HTTP
import Support
import Testing

@Suite("Twilio · unknown requests", .contract("twilio-verify.md 2.5, 13.1"))
struct UnknownRequestTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test(
    "an unknown path under a Twilio prefix or host is 20404, with the nearest routes in the journal"
  )
  func unknownPath() throws {
    var headers = TwilioWorld.credentials
    headers.add("Host", "verify.twilio.com")
    let exchange = try twilio.send(Request(.get, Target("/v2/Service/VA1"), headers: headers))
    let prefixed = try twilio.get("/twilio/v2/Servces/VA1/Verifications")

    exchange.matches(golden: "unknown-path")
    #expect(exchange.answer == notFound("/v2/Service/VA1"))
    #expect(exchange.nearest.first == "GET /v2/Services/{service}")
    #expect(prefixed.answer == notFound("/v2/Servces/VA1/Verifications"))
    #expect(prefixed.nearest.contains("POST /v2/Services/{service}/Verifications"))
  }

  @Test(
    "a wrong method is 20004, with the allowed methods in the journal",
    arguments: [HTTP.Method.put, .patch, .delete])
  func wrongMethod(method: HTTP.Method) throws {
    let exchange = try twilio.send(.to(TwilioWorld.check, method, headers: TwilioWorld.credentials))

    if method == .put { exchange.matches(golden: "wrong-method") }
    #expect(exchange.answer == errorAnswer(405, 20004, "Method not allowed"))
    #expect(exchange.why == "wrong method; expected POST")
  }

  @Test(
    "an unreadable form is 60200 and changes nothing",
    arguments: ["To=%2", "To=%GG", "To=%FF", "%FF=1", "To=%2B12025550100&Channel=%E2%82"])
  func brokenForm(body: String) throws {
    let exchange = try twilio.send(
      .to(TwilioWorld.verifications, .post, headers: TwilioWorld.credentials, body: Array(body.utf8)))

    if body == "To=%2" { exchange.matches(golden: "broken-escape") }
    #expect(try exchange.decode(ErrorAnswer.self).code == 60200)
    #expect(exchange.why?.contains("expected") == true)
    #expect(try twilio.inbox() == [])
    #expect(twilio.world.reports == [])
  }

  @Test(
    "sign-in and Service are checked before a path that is unknown, not emulated, or of another method",
    .contract("twilio-verify.md 20"),
    arguments: ["/Nonsense", "/Nonsense/1", "/AccessTokens", "/VerificationCheck"])
  func signInFirst(path: String) throws {
    let stranger = try twilio.get(
      TwilioWorld.services + "/" + TwilioWorld.service + path, as: Request.basic(TwilioWorld.account, "no"))
    let lost = try twilio.get(TwilioWorld.services + "/VA00000000000000000000000000000009" + path)

    #expect(stranger.answer == errorAnswer(401, 20003, "Authenticate"))
    #expect(stranger.why == "wrong secret for \(TwilioWorld.account)")
    #expect(lost.answer == notFound(TwilioWorld.services + "/VA00000000000000000000000000000009" + path))
    #expect(lost.why == "no Service VA00000000000000000000000000000009 for account \(TwilioWorld.account)")
  }

  @Test("a path with a broken escape is 60200")
  func brokenPath() throws {
    let exchange = try twilio.fetch("%2")

    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter: verification"))
  }
}
