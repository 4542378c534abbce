import Basics
import Domain
import HTTP
import JSON
import Support
import Testing
import Twilio

@Suite("Twilio · mobile apps", .contract("twilio-verify.md 11, 13.3"))
struct DeviceTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  /// The code and the status of an error.
  private func code(_ exchange: Exchange) throws -> String {
    let body = try JSON(parsing: Array(exchange.answer.dropFirst(4).utf8))
    guard case .integer(let code)? = body["code"] else { return exchange.answer }
    return "\(exchange.answer.prefix(3)) \(code)"
  }

  private func ask(_ factor: String, _ more: KeyValuePairs<String, String> = [:]) throws -> String {
    let created = try twilio.post(
      TwilioWorld.challenges,
      pairs: [("FactorSid", factor), ("Details.Message", "Log in?")] + more.map { ($0.key, $0.value) })
    return try TwilioWorld.text("sid", in: created.answer)
  }

  private func refuse(
    _ payload: String, _ phone: TestPhone, _ challenge: String, as expected: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let path = "\(TwilioWorld.challenges)/\(challenge)"
    let before = try twilio.get(path).answer
    let exchange = try phone.respond(payload, to: challenge)
    #expect(try code(exchange) == expected, sourceLocation: location)
    #expect(try twilio.get(path).answer == before, sourceLocation: location)
  }

  @Test(
    "a signed answer approves or denies the challenge, on the handset too", arguments: ["approved", "denied"])
  func answer(status: String) throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)

    let answered = try phone.respond(phone.answer(status, to: challenge), to: challenge)

    #expect(answered.answer.hasPrefix("200") && answered.answer.contains(#""status":"\#(status)""#))
    #expect(answered.answer.contains(#""date_responded":"2026-01-05T10:20:30Z""#))
    let asked = try #require(try twilio.sandbox.challenges.latest(about: challenge, provider: "twilio"))
    #expect(asked.state(at: twilio.sandbox.clock.now).rawValue == status)
    #expect(asked.holder == TwilioWorld.identity)
  }

  @Test("an answer with the wrong key is 60324 and changes nothing")
  func wrongKey() throws {
    let (phone, thief) = (try TestPhone.enrolled(1, twilio), try TestPhone(2, twilio))
    let challenge = try ask(phone.factor)

    try refuse(thief.answer("approved", to: challenge), phone, challenge, as: "403 60324")
  }

  @Test(
    "an answer over other values is 60324 and changes nothing",
    arguments: [
      "sid", "service_sid", "entity_sid", "identity", "factor_sid", "date_created", "details",
      "hidden_details",
    ])
  func otherValues(member: String) throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)

    try refuse(phone.answer("approved", to: challenge, changing: member), phone, challenge, as: "403 60324")
    try refuse(phone.answer("approved", to: challenge, leavingOut: member), phone, challenge, as: "403 60324")
  }

  @Test("an answer to another challenge of the same factor is 60324 and changes nothing")
  func otherChallenge() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let (one, other) = (try ask(phone.factor), try ask(phone.factor))

    try refuse(phone.answer("approved", to: one), phone, other, as: "403 60324")
  }

  @Test("an answer to another factor's challenge is 20404 and changes nothing")
  func otherFactor() throws {
    let (phone, other) = (try TestPhone.enrolled(1, twilio), try TestPhone.enrolled(2, twilio))
    let challenge = try ask(other.factor)

    try refuse(phone.answer("approved", to: challenge), phone, challenge, as: "404 20404")
    try refuse(other.answer("approved", to: challenge), phone, challenge, as: "404 20404")
  }

  @Test("a replayed answer is 60322 and changes nothing")
  func replay() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)
    let payload = try phone.answer("approved", to: challenge)
    _ = try phone.respond(payload, to: challenge)

    try refuse(payload, phone, challenge, as: "403 60322")
    try refuse(phone.answer("denied", to: challenge), phone, challenge, as: "403 60322")
  }

  @Test("an answer after the end is 60323 and changes nothing")
  func late() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)
    let payload = try phone.answer("approved", to: challenge)
    try twilio.advance(300)

    try refuse(payload, phone, challenge, as: "403 60323")
  }

  @Test("a status that is no answer is 60324", arguments: ["pending", "expired", ""])
  func noAnswer(status: String) throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)

    try refuse(phone.answer(status, to: challenge), phone, challenge, as: "403 60324")
  }

  @Test("signed claims that are no object are 60324")
  func noObject() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)
    let header = #"{"typ":"JWT","alg":"ES256"}"#

    for claims in ["[]", "{", #"{"status":1}"#, #"{"status":"approved"}"#] {
      try refuse(phone.token(header, claims), phone, challenge, as: "403 60324")
    }
  }

  @Test("a token of another algorithm, and a long one, is 60306")
  func otherAlgorithm() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let challenge = try ask(phone.factor)

    try refuse(phone.token(#"{"alg":"none"}"#, "{}"), phone, challenge, as: "400 60306")
    let long = phone.token(#"{"alg":"ES256"}"#, #"{"status":"\#(String(repeating: "a", count: 4096))"}"#)
    try refuse(long, phone, challenge, as: "400 60306")
  }

  @Test("the fields to sign are a setting; without the header, sid and factor_sid are enough")
  func signatureFields() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    for fields in ["", "sid,factor_sid", "sid,factor_sid,account_sid,expiration_date,metadata,factor_type"] {
      try twilio.configure(#""signatureFields":"\#(fields)""#)
      let challenge = try ask(phone.factor)
      let fetched = try twilio.get("\(TwilioWorld.challenges)/\(challenge)")

      #expect(fetched.headers["Twilio-Verify-Signature-Fields"] == (fields.isEmpty ? nil : fields))
      let answered = try phone.respond(phone.answer("approved", to: challenge), to: challenge)
      #expect(answered.answer.contains(#""status":"approved""#), "\(fields): \(answered.answer)")
    }
  }

  @Test("the header is on pending push challenges only")
  func header() throws {
    let (phone, totp) = (try TestPhone.enrolled(1, twilio), try twilio.verifiedTOTP())
    let (push, code) = (try ask(phone.factor), try ask(totp))

    func fields(_ challenge: String) throws -> String? {
      try twilio.get("\(TwilioWorld.challenges)/\(challenge)").headers["Twilio-Verify-Signature-Fields"]
    }
    #expect(try fields(push) != nil)
    #expect(try fields(code) == nil)
    try twilio.advance(300)
    #expect(try fields(push) == nil)
  }

  @Test("a device's token counts from a minute before nbf to exp")
  func tokenTimes() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let path = "\(TwilioWorld.factors)/\(phone.factor)"

    for (start, end, status) in [(60, 600, 200), (61, 600, 401), (0, 0, 200), (0, -1, 401), (-600, 600, 200)]
    {
      let exchange = try twilio.get(path, as: phone.signedIn(from: start, to: end))
      #expect(TwilioWorld.status(exchange.answer) == status, "\(start) to \(end)")
    }
  }

  @Test("a refused device gets 401, 20003, a Date and the reason in the journal")
  func refusedDevice() throws {
    let (phone, other) = (try TestPhone.enrolled(1, twilio), try TestPhone.enrolled(2, twilio))
    let path = "\(TwilioWorld.factors)/\(phone.factor)"
    let unsigned = phone.token(#"{"alg":"ES256"}"#, "{}")
    let headers = [
      phone.signedIn(sub: "AC00000000000000000000000000000009"), phone.signedIn(kid: other.credential),
      phone.signedIn(kid: "CR00000000000000000000000000000009"), phone.signedIn(kid: ""), other.signedIn(),
      Request.basic("token", ""), Request.basic("token", "a.b.c"), Request.basic("token", unsigned),
    ]

    for header in headers {
      let exchange = try twilio.get(path, as: header)
      #expect(try code(exchange) == "401 20003")
      #expect(exchange.why?.hasPrefix("device token: ") == true)
      #expect(exchange.headers["Date"] == "Mon, 05 Jan 2026 10:20:30 GMT")
    }
  }

  @Test("a device reads its own Service and factor only, and may do nothing else")
  func rights() throws {
    let (phone, other) = (try TestPhone.enrolled(1, twilio), try TestPhone.enrolled(2, twilio))
    let service = "\(TwilioWorld.services)/\(TwilioWorld.service)"

    #expect(try twilio.get(service, as: phone.signedIn()).answer.hasPrefix("200"))
    #expect(
      try twilio.get("\(TwilioWorld.factors)/\(phone.factor)", as: phone.signedIn()).answer.hasPrefix("200"))
    for path in [
      "\(TwilioWorld.factors)/\(other.factor)", TwilioWorld.factors, TwilioWorld.entities,
      TwilioWorld.services, "\(TwilioWorld.services)/VA00000000000000000000000000000009",
    ] {
      #expect(try code(twilio.get(path, as: phone.signedIn())) == "401 20003", "\(path)")
    }
    #expect(try code(twilio.createPush(as: phone.signedIn())) == "401 20003")
  }

  @Test("credentials of a device select its sandbox, and so does an access token")
  func sandboxes() throws {
    let world = try TwilioWorld(acceptsUnknownAccounts: false)
    _ = try world.world.sandboxes.create("other", Sandbox.Configuration())
    let phone = try TestPhone.enrolled(1, world)
    let token = try world.post(
      TwilioWorld.accessTokens, ["Identity": TwilioWorld.identity, "FactorType": "push"])
    let text = try TwilioWorld.text("token", in: token.answer)

    let created = try world.createPush(as: Request.basic("token", text))

    #expect(created.answer.hasPrefix("201"))
    #expect(TwilioProvider.credential(in: .to("/", headers: phone.signedIn())) == TwilioWorld.account)
    #expect(
      TwilioProvider.credential(in: .to("/", headers: Request.basic("token", text))) == TwilioWorld.account)
    #expect(TwilioProvider.credential(in: .to("/", headers: Request.basic("token", "x"))) == nil)
  }

  @Test("an entity keeps a thousand challenges")
  func challengeLimit() throws {
    let phone = try TestPhone.enrolled(1, twilio)
    let first = try ask(phone.factor)
    for _ in 0..<999 { _ = try ask(phone.factor) }
    let firstPath = "\(TwilioWorld.challenges)/\(first)"
    #expect(try twilio.get(firstPath).answer.hasPrefix("200"))

    _ = try ask(phone.factor)

    #expect(try code(twilio.get(firstPath)) == "404 20404")
  }

  @Test("challenges of a push factor", .contract("twilio-verify.md 8.4, 9, 10, 13.3"))
  func pushChallenges() throws {
    let phone = try TestPhone.enrolled(42, twilio, token: "f3c1000000000000000000000000000000")
    let created = try twilio.challenge(
      phone.factor,
      [
        "Details.Message": "Log in to Acme?", "Details.Fields": #"{"label":"Place","value":"Lima"}"#,
        "HiddenDetails": #"{"ip":"203.0.113.9"}"#, "ExpirationDate": "2026-01-05T11:00:00Z",
      ])
    let path = "\(TwilioWorld.challenges)/\(try TwilioWorld.text("sid", in: created.answer))"

    created.matches(golden: "push")
    try twilio.get(path).matches(golden: "push")
    try twilio.post(path, ["AuthPayload": "e30.e30.e30"]).matches(golden: "no-token")
    try twilio.post("\(path)/Notifications", ["Ttl": "60"]).matches(golden: "created")
    try twilio.post("\(path)/Notifications", ["Ttl": "301"]).matches(golden: "bad-ttl")
  }
}
