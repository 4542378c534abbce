import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · devices: login by push", .contract("telesign.md 5.2, 5.4 and 5.5"))
struct TelesignPushTests {
  let telesign: TelesignWorld
  let device: String

  init() throws {
    telesign = try TelesignWorld()
    device = try telesign.registered()
    try telesign.sandbox.messages.clear(destination: nil)
  }

  private func report(_ errand: TelesignWorld.Errand, _ status: String) throws -> Exchange {
    try telesign.handset(
      .post, "verifications/\(errand.reference)/push-status", errand.token, #"{"push_status":"\#(status)"}"#)
  }

  @Test("the device is asked by a push, and nothing else is sent")
  func asked() throws {
    let errand = try telesign.beginLogin()

    #expect(try telesign.state(errand.reference) == "CREATED: push CREATED 3901, sms CREATED")
    #expect(try telesign.inbox(TelesignWorld.number).map(\.channel) == [.push])
    let push = try #require(
      try telesign.question(errand)?.push.flatMap { try telesign.sandbox.pushes.find($0) })
    #expect(push.token == TelesignWorld.token)
    #expect(
      push.payload
        == #"{"data":{"provider":"telesign","type":"push_verify","reference_id":"\#(errand.reference)","#
        + #""mobile_app_token":"\#(errand.token)","expires_on":"2026-01-05T10:21:30.000000Z"}}"#)
  }

  @Test("approving verifies")
  func approved() throws {
    let errand = try telesign.beginLogin()

    let answer = try telesign.decide(errand, "approve", on: device)

    answer.matches(golden: "approved")
    #expect(try answer.members().string("state") == "VERIFIED")
    #expect(try telesign.state(errand.reference) == "VERIFIED: push VERIFIED 3900, sms SKIPPED")
  }

  @Test("denying rejects, and nothing is tried after it")
  func denied() throws {
    let errand = try telesign.beginLogin()

    let answer = try telesign.decide(errand, "deny", on: device)
    try telesign.advance(120)

    #expect(try answer.verdict() == "200 3904")
    #expect(try answer.members().string("state") == "REJECTED")
    #expect(try telesign.state(errand.reference) == "REJECTED: push REJECTED 3904, sms SKIPPED")
    #expect(try telesign.inbox(TelesignWorld.number).map(\.channel) == [.push])
  }

  @Test("a setting lets a denial go on with the next method")
  func deniedWithFallback() throws {
    try telesign.turn(#""verify.push_deny_fallback":true"#)
    let errand = try telesign.beginLogin()

    let answer = try telesign.decide(errand, "deny", on: device)

    #expect(try answer.members().string("state") == "ONGOING")
    #expect(try telesign.state(errand.reference) == "ONGOING: push REJECTED 3904, sms ONGOING 3901")
    #expect(try telesign.decide(errand, "approve", on: device).verdict() == "400 3931")
    #expect(try telesign.finalize(errand.reference).verdict() == "200 3900")
  }

  @Test("who does not answer is sent a text, and cannot answer any more")
  func ignored() throws {
    let errand = try telesign.beginLogin()
    #expect(try telesign.finalize(errand.reference, "123456").verdict() == "400 3931")
    try telesign.advance(60)

    let late = try telesign.decide(errand, "approve", on: device)

    #expect(try late.verdict() == "400 3908")
    #expect(try telesign.state(errand.reference) == "ONGOING: push FAILED 3056, sms ONGOING 3901")
    #expect(try telesign.finalize(errand.reference).verdict() == "200 3900")
  }

  @Test("a second decision, another's device and a verification of another kind are refused")
  func refused() throws {
    let errand = try telesign.beginLogin()
    let other = try telesign.registered("15558675310", token: "fcm-9")
    let unknown = try telesign.decide(errand, "approve", on: "nobody")

    unknown.matches(golden: "unknown-device")
    #expect(try unknown.verdict() == "404 3110")
    #expect(try telesign.decide(errand, "approve", on: other).verdict() == "404 3110")
    #expect(try telesign.decide(errand, "maybe", on: device).verdict() == "400 3110")
    #expect(try telesign.state(errand.reference) == "CREATED: push CREATED 3901, sms CREATED")
    _ = try telesign.decide(errand, "deny", on: device)
    #expect(try telesign.decide(errand, "approve", on: device).verdict() == "400 3931")
    let registration = try telesign.beginRegistration()
    #expect(try telesign.decide(registration, "approve", on: device).verdict() == "400 3931")
    #expect(try report(registration, "read").verdict() == "400 3931")
  }

  @Test("an app of the number that was not asked cannot decide")
  func otherApp() throws {
    let errand = try telesign.beginLogin()
    let registration = try telesign.beginRegistration()
    let second = try telesign.register(registration, app: "com.your.other").members().string("device_id")

    #expect(try telesign.decide(errand, "approve", on: second).verdict() == "404 3110")
    #expect(try telesign.decide(errand, "approve", on: device).verdict() == "200 3900")
  }

  @Test("a token of another verification decides nothing")
  func foreignToken() throws {
    let (one, other) = try (telesign.beginLogin(), telesign.beginLogin())

    let refused = try telesign.handset(
      .post, "verifications/\(one.reference)/decision", other.token,
      #"{"decision":"approve","device_id":"\#(device)"}"#)

    #expect(refused.answer == #"401 {"status":{"code":3400,"description":"Not authorized"}}"#)
    #expect(try telesign.question(one)?.answer == nil)
  }

  @Test("what the app tells of a push shows in the method, and is told to the back end")
  func marks() throws {
    try telesign.turn(#""account.callback_url":"http://127.0.0.1:9/hook""#)
    let errand = try telesign.beginLogin()

    let delivered = try report(errand, "delivered")
    let afterDelivery = try telesign.state(errand.reference)
    telesign.world.sendWebhooks()
    let read = try report(errand, "read")
    telesign.world.sendWebhooks()
    _ = try report(errand, "read")
    telesign.world.sendWebhooks()

    read.matches(golden: "read")
    try report(errand, "seen").matches(golden: "unknown-status")
    #expect(try [delivered, read].map { try $0.verdict() } == ["200 3000", "200 3005"])
    #expect(afterDelivery == "ONGOING: push ONGOING 3000, sms CREATED")
    #expect(try telesign.state(errand.reference) == "ONGOING: push ONGOING 3005, sms CREATED")
    let told = try telesign.world.receiver.deliveries.map { delivery in
      try Fields(delivery.request.body).objects("inner_methods")[0].int("err_code")
    }
    #expect(told == [3000, 3005])
  }

  @Test("a push that is read after its time changes nothing any more")
  func lateMark() throws {
    let errand = try telesign.beginLogin()
    try telesign.advance(60)

    #expect(try report(errand, "read").verdict() == "200 3005")

    #expect(try telesign.state(errand.reference) == "ONGOING: push FAILED 3056, sms ONGOING 3901")
  }

  @Test(
    "without a registered device of the number and the token a text goes out at once",
    arguments: [("15558675310", TelesignWorld.token), (TelesignWorld.number, "fcm-unknown")])
  func noDevice(number: String, token: String) throws {
    let errand = try telesign.beginLogin(of: number, token: token)

    #expect(try telesign.state(errand.reference) == "ONGOING: push FAILED 3055, sms ONGOING 3901")
    #expect(try telesign.inbox(number).map(\.channel) == [.sms])
    #expect(try telesign.question(errand) == nil)
  }

  @Test(
    "a code to scan asks without a push, and whichever device of the number decides has scanned it",
    arguments: ["stamp", "qr"])
  func scanned(method: String) throws {
    let errand = try telesign.beginLogin(method, token: "fcm-unknown")
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
    #expect(try report(errand, "read").verdict() == "400 3931")

    let answer = try telesign.decide(errand, "approve", on: device)

    #expect(try answer.verdict() == "200 3900")
    #expect(try telesign.sandbox.events.after(0).contains { $0.kind == .challengeScanned })
    #expect(try telesign.state(errand.reference) == "VERIFIED: stamp VERIFIED 3900, sms SKIPPED")
  }

  @Test(
    "a number's ending answers, unless its record says otherwise",
    arguments: [
      ("15558670700", "null", "VERIFIED"), ("15558670701", "null", "REJECTED"),
      ("15558670702", "null", "CREATED"), ("15558670700", #""deny""#, "REJECTED"),
      ("15558670700", #""ignore""#, "CREATED"), (TelesignWorld.number, #""approve""#, "VERIFIED"),
    ])
  func endings(number: String, record: String, state: String) throws {
    try telesign.registered(number)
    try telesign.seed(#"{"subscribers":[{"number":"+\#(number)","pushes":\#(record)}]}"#)

    let errand = try telesign.beginLogin(of: number)

    #expect(try telesign.state(errand.reference).hasPrefix("\(state):"))
  }

  @Test("the control API answers what the handset's would")
  func control() throws {
    let errand = try telesign.beginLogin()

    let answer = try telesign.send(.post, "/control/devices/\(errand.reference)/approve")

    #expect(answer.answer.contains(#""state":"approved""#))
    #expect(try telesign.state(errand.reference).hasPrefix("VERIFIED:"))
    #expect(try telesign.decide(errand, "deny", on: device).verdict() == "400 3931")
  }

  @Test("a question is withdrawn when its verification ends otherwise")
  func withdrawn() throws {
    let errand = try telesign.beginLogin()
    let question = try #require(try telesign.question(errand))
    let verification = try #require(
      try telesign.sandbox.verifications.latest(
        Claim(
          provider: "telesign", owner: TelesignWorld.customer, destination: "+\(TelesignWorld.number)")))

    _ = try telesign.sandbox.verifications.finish(verification, as: .canceled)

    #expect(try telesign.sandbox.challenges.find(question.ordinal)?.state(at: TestSandbox.start) == .expired)
    #expect(try telesign.decide(errand, "approve", on: device).verdict() == "400 3908")
  }
}
