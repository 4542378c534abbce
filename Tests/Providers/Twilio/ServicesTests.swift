import HTTP
import JSON
import Support
import Testing

@Suite("Twilio · Services", .contract("twilio-verify.md 3"))
struct ServicesTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("a Service is created with the provider's defaults")
  func create() throws {
    try twilio.post(TwilioWorld.services, ["FriendlyName": "Acme Bank"]).matches(golden: "defaults")
  }

  @Test("a Service is created with every parameter")
  func createFull() throws {
    let exchange = try twilio.post(
      TwilioWorld.services,
      [
        "FriendlyName": "Acme-Bank_1", "CodeLength": "8", "LookupEnabled": "true",
        "SkipSmsToLandlines": "true", "DtmfInputRequired": "false", "TtsName": "Acme", "Psd2Enabled": "true",
        "DoNotShareWarningEnabled": "true", "CustomCodeEnabled": "true", "Push.IncludeDate": "true",
        "Push.ApnCredentialSid": "CR00000000000000000000000000000001",
        "Push.FcmCredentialSid": "CR00000000000000000000000000000002", "Totp.Issuer": "Acme",
        "Totp.TimeStep": "40", "Totp.CodeLength": "8", "Totp.Skew": "2",
        "DefaultTemplateSid": "HJ000000000000000000000000000000a3",
        "Whatsapp.MsgServiceSid": "MG00000000000000000000000000000001",
        "Whatsapp.From": "whatsapp:+12025550199",
        "Passkeys.RelyingParty.Id": "acme.test", "Passkeys.RelyingParty.Name": "Acme",
        "Passkeys.RelyingParty.Origins": "https://acme.test,https://www.acme.test",
        "Passkeys.AuthenticatorAttachment": "platform", "Passkeys.DiscoverableCredentials": "preferred",
        "Passkeys.UserVerification": "discouraged", "VerifyEventSubscriptionEnabled": "true",
      ])

    exchange.matches(golden: "everything-set")
  }

  @Test("a Service without a name is 60200", arguments: [[:], ["FriendlyName": ""]])
  func createNameless(form: [String: String]) throws {
    let exchange = try twilio.post(TwilioWorld.services, form.isEmpty ? [:] : ["FriendlyName": ""])

    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter: FriendlyName"))
    if form.isEmpty { exchange.matches(golden: "nameless") }
  }

  @Test("a Service is fetched")
  func fetch() throws {
    try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)").matches(golden: "found")
  }

  @Test("an unknown Service is 20404")
  func fetchUnknown() throws {
    let path = "\(TwilioWorld.services)/VA00000000000000000000000000000009"

    let exchange = try twilio.get(path)

    exchange.matches(golden: "unknown")
    #expect(exchange.answer == notFound(path))
  }

  @Test("HEAD is a fetch without its body")
  func head() throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"

    try twilio.send(.to(path, .head, headers: TwilioWorld.credentials)).matches(golden: "head")
  }

  @Test("an update changes its parameters and the date")
  func update() throws {
    try twilio.advance(60)

    let exchange = try twilio.post(
      "\(TwilioWorld.services)/\(TwilioWorld.service)", ["FriendlyName": "Renamed", "CodeLength": "4"])

    exchange.matches(golden: "renamed")
    let fetched = try twilio.get("\(TwilioWorld.services)/\(TwilioWorld.service)").decode(ServiceAnswer.self)
    #expect(fetched == (try exchange.decode()))
    #expect(fetched.text("date_updated") == "2026-01-05T10:21:30Z")
    #expect(fetched.text("date_created") == "2026-01-05T10:20:30Z")
  }

  @Test("a fetch has what changed since the last one: the Service, a setting, the host")
  func fetchAgain() throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    func fetched(from host: String = "127.0.0.1:5550") throws -> ServiceAnswer {
      let headers: Headers = ["Host": host, "Authorization": TwilioWorld.credentials["Authorization"] ?? ""]
      return try twilio.send(Request(.get, Target(path), headers: headers, body: [])).decode()
    }
    let first = try fetched()

    #expect(try fetched() == first)
    #expect(try fetched(from: "verify.twilio.com").text("url") == "http://verify.twilio.com\(path)")
    _ = try twilio.post(path, ["FriendlyName": "Renamed"])
    #expect(try fetched().text("friendly_name") == "Renamed")
    try twilio.configure(#""pushIncludeDate":false"#)
    #expect(try fetched()["push.include_date"] == .bool(false))
  }

  @Test("an update with one bad value changes nothing")
  func updateBadly() throws {
    let path = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    let before = try twilio.get(path).decode(ServiceAnswer.self)

    let exchange = try twilio.post(path, ["FriendlyName": "Renamed", "CodeLength": "3"])

    exchange.matches(golden: "bad-code-length")
    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter: CodeLength"))
    #expect(try twilio.get(path).decode() == before)
  }

  @Test("an update of an unknown Service is 20404")
  func updateUnknown() throws {
    let path = "\(TwilioWorld.services)/VA00000000000000000000000000000009"

    #expect(try twilio.post(path, ["FriendlyName": "Acme"]).answer == notFound(path))
  }

  @Test("deleting a Service deletes its verifications")
  func delete() throws {
    let verification = try twilio.started()

    let exchange = try twilio.delete("\(TwilioWorld.services)/\(TwilioWorld.service)")

    exchange.matches(golden: "deleted")
    #expect(exchange.answer == "204")
    let service = "\(TwilioWorld.services)/\(TwilioWorld.service)"
    #expect(try twilio.get(service).answer == notFound(service))
    #expect(try twilio.delete(service).answer == notFound(service))
    #expect(try twilio.create().answer == notFound(TwilioWorld.verifications))
    #expect(try twilio.check("123456").answer == notFound(TwilioWorld.check))
    #expect(
      try twilio.fetch(verification.sid).answer
        == notFound("\(TwilioWorld.verifications)/\(verification.sid)"))
  }

  @Test("a delete of an unknown Service is 20404")
  func deleteUnknown() throws {
    let path = "\(TwilioWorld.services)/VA00000000000000000000000000000009"

    try twilio.delete(path).matches(golden: "unknown")
  }

  @Test("a delete may have an empty form", .contract("twilio-verify.md 1.3"))
  func deleteWithForm() throws {
    let request = Request.to(
      "\(TwilioWorld.services)/\(TwilioWorld.service)", .delete, headers: TwilioWorld.credentials)
    var headers = request.headers
    headers.add("Content-Type", "application/x-www-form-urlencoded")
    headers.add("Accept-Encoding", "utf-8")

    let exchange = try twilio.send(
      Request(.delete, request.target, headers: headers))

    #expect(exchange.answer == "204")
  }

  @Test("the list of an account without Services is an empty page")
  func listNothing() throws {
    _ = try twilio.delete("\(TwilioWorld.services)/\(TwilioWorld.service)")

    let exchange = try twilio.get(TwilioWorld.services)

    exchange.matches(golden: "empty")
  }
}
