import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · possession", .contract("prove.md 5"))
struct ProvePossessionTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  private func enter(_ code: String) -> String { #"{"resultType":0,"input":{"otp":"\#(code)"}}"# }

  @Test(
    "the run in the text is the length of the code; 1234 is right too",
    arguments: [("####", "1234"), ("#####", "12345"), ("######", "123456"), ("######", "1234")])
  func codeLength(run: String, code: String) throws {
    let started = try prove.waitingForCode("2001004014", #""smsMessage":"Code: \#(run)!""#)

    let message = try #require(try prove.sandbox.messages.submitted(.init()).last)
    #expect(message.text == "Code: \("123456".prefix(run.count))!")
    #expect(message.reference == started.correlationID)
    _ = try prove.act(started, "otp/finish", enter(code))
    #expect(try prove.outcome(started) == "true")
    #expect(try prove.sandbox.verifications.all(of: "prove").map(\.state) == [.approved])
  }

  @Test("a message that cannot be sent ends the flow after three tries")
  func notSent() throws {
    let started = try prove.unify("2001009002")
    #expect(
      try prove.step(prove.authenticate(started, #"{"features":["mobileAuth","otp"]}"#)) == "mobile_auth")
    #expect(try prove.step(prove.act(started, "mobile-auth")) == "otp_start")
    let steps = try (1...3).map { _ in try prove.step(prove.act(started, "otp/start")) }

    let again = "otp_start phone_number_validation"
    #expect(steps == [again, again, "auth_finish phone_number_validation"])
    #expect(try prove.outcome(started) == "false 9100")
  }

  @Test("a test user whose codes are all wrong")
  func neverRight() throws {
    let started = try prove.waitingForCode("2001009003")

    #expect(try prove.step(prove.act(started, "otp/finish", enter("1234"))) == "auth_finish otp_validation")
  }

  @Test("a link that expires at once")
  func expiredLink() throws {
    let started = try prove.unify("2001009004", "desktop", #""finalTargetUrl":"https://example.com/""#)
    _ = try prove.authenticate(started)
    _ = try prove.act(started, "instant-link/start")

    #expect(try prove.open(prove.link(to: "+12001009004")).answer.hasPrefix("410 "))
  }

  @Test("a desktop browser gives up after three minutes; the link still redirects until five")
  func desktopTimeout() throws {
    let started = try prove.waitingForClick()
    try prove.advance(181)

    #expect(try prove.outcome(started) == "false 9100")
    let location = try prove.open(prove.link()).headers["Location"]
    #expect(location == "https://example.com/done?asc=false&authId=\(started.authID)")
    try prove.advance(120)
    #expect(try prove.open(prove.link()).answer.hasPrefix("410 "))
    #expect(try prove.sandbox.verifications.all(of: "prove").map(\.state) == [.expired])
  }

  @Test(
    "the network's own settings decide about Mobile Auth",
    arguments: [
      (#""coversSilent":true"#, "true"), (#""suspended":true"#, "possession_required"),
    ])
  func network(record: String, outcome: String) throws {
    let answer = try prove.world.send(
      .json(.put, "/control/subscribers/+12001004016", "{\(record)}")
    ).answer
    try #require(answer.hasPrefix("2"), "\(answer)")
    let started = try prove.unify("2001004016", "none")
    _ = try prove.authenticate(started, #"{"features":["mobileAuth"],"cellularNumber":"2001004016"}"#)
    _ = try prove.act(started, "mobile-auth")

    #expect(try prove.outcome(started) == outcome)
  }

  @Test(
    "Mobile Auth needs the SIM of the number and mobile data, unless the app is in test mode",
    arguments: [
      (#""cellularNumber":"2001004016""#, #"{"cellular":true}"#, "auth_finish"),
      (#""cellularNumber":"2001004016""#, #"{"cellular":false}"#, "otp_start"),
      (#""cellularNumber":"2001004041""#, #"{"cellular":true}"#, "otp_start"),
      (#""mobileAuthTestMode":true"#, #"{"cellular":false}"#, "auth_finish"),
      (#""platform":"ios""#, #"{"cellular":true}"#, "otp_start"),
    ])
  func connection(device: String, connection: String, step: String) throws {
    let started = try prove.unify("2001004016")
    _ = try prove.authenticate(started, #"{"features":["mobileAuth","otp"],\#(device)}"#)

    #expect(try prove.step(prove.act(started, "mobile-auth", connection)) == step)
  }

  @Test("number changes count as entries, and need the client's permission")
  func numberChange() throws {
    let started = try prove.waitingForCode()
    #expect(try prove.step(prove.act(started, "otp/finish", #"{"resultType":2}"#)) == "otp_start")
    #expect(
      try prove.step(prove.act(started, "otp/start", #"{"phoneNumber":"nonsense"}"#))
        == "otp_start phone_number_validation")
    #expect(try prove.step(prove.act(started, "otp/start", #"{"phoneNumber":"2001004015"}"#)) == "otp_finish")
    _ = try prove.act(started, "otp/finish", enter("1234"))
    #expect(try prove.fields(of: prove.status(started)).string("phoneNumber") == "2001004015")

    try prove.seed(
      #"{"clients":[{"clientId":"sandbox-client","clientSecret":"sandbox-secret","phoneNumberChange":false}]}"#
    )
    let other = try prove.waitingForCode()
    #expect(try prove.step(prove.act(other, "otp/finish", #"{"resultType":2}"#)) == "otp_finish not_enabled")
  }

  @Test("a device may name three numbers")
  func numberEntries() throws {
    let started = try prove.unify(nil)
    _ = try prove.authenticate(started)
    _ = try prove.act(started, "otp/start", #"{"phoneNumber":"nonsense"}"#)
    _ = try prove.act(started, "otp/start", #"{"phoneNumber":"2001004014"}"#)
    _ = try prove.act(started, "otp/finish", #"{"resultType":2}"#)
    #expect(try prove.step(prove.act(started, "otp/start", #"{"phoneNumber":"2001004015"}"#)) == "otp_finish")

    #expect(
      try prove.step(prove.act(started, "otp/finish", #"{"resultType":2}"#)) == "auth_finish resend_limit")
  }

  @Test("a session that has expired is over for its device")
  func expired() throws {
    let started = try prove.waitingForCode()
    try prove.advance(900)

    #expect(try prove.step(prove.act(started, "otp/finish", enter("1234"))) == "auth_finish expired")
  }

  @Test("two sessions with one number do not disturb each other")
  func sameNumber() throws {
    let (first, second) = (try prove.waitingForCode(), try prove.waitingForCode())
    _ = try prove.act(first, "otp/finish", #"{"resultType":1}"#)

    for started in [second, first] {
      _ = try prove.act(started, "otp/finish", enter("1234"))
      #expect(try prove.outcome(started) == "true")
    }
  }

  @Test("old sessions are deleted when new ones start")
  func bounded() throws {
    let old = try prove.unify()
    try prove.advance(901)
    #expect(try Session.find(authID: old.authID, in: prove.sandbox) != nil)
    _ = try prove.unify()

    #expect(try Session.find(authID: old.authID, in: prove.sandbox) == nil)
  }
}

@Suite("Prove · keys", .contract("prove.md 5.8"))
struct ProveKeyTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  private func firstStep(_ device: String, _ more: String...) throws -> String {
    let started = try prove.unify("2001004014", "mobile", more.isEmpty ? #""rebind":false"# : more.joined())
    return try prove.step(prove.authenticate(started, "{\(device)}"))
  }

  @Test("a revoked key counts as absent")
  func revoke() throws {
    let device = try prove.boundDevice()
    let id = device.split(separator: "\"")[2]

    try prove.call(.post, "/v3/device/revoke", #"{"deviceId":"\#(id)","clientRequestId":"r1"}"#)
      .matches(golden: "revoked")
    #expect(try firstStep(device) == "otp_start")
    try prove.call(.post, "/v3/device/revoke", #"{"deviceId":"0d9e0c1c","clientRequestId":"r1"}"#)
      .matches(golden: "unknown")
  }

  @Test("a key without an authentication for a year counts as absent; each one counts")
  func inactivity() throws {
    let device = try prove.boundDevice()
    for _ in 1...2 {
      try prove.advance(364 * 86_400)
      #expect(try firstStep(device) == "auth_finish")
    }
    try prove.advance(365 * 86_400)
    #expect(try firstStep(device) == "otp_start")
  }

  @Test("a registration without its secret is not the key")
  func wrongSecret() throws {
    let id = try prove.boundDevice().split(separator: ",")[0]

    #expect(try firstStep("\(id),\"key\":\"wrong\"") == "otp_start")
  }

  @Test("a device that lost its key recovers it by its context")
  func context() throws {
    let id = try prove.boundDevice().split(separator: ",")[0]

    #expect(try firstStep(#""features":["otp","deviceContext"]"#, String(id)) == "auth_finish")
    #expect(try firstStep(#""features":["otp"]"#, String(id)) == "otp_start")
  }
}
