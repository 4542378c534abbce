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
    device = try telesign.registeredDevice()
    try telesign.sandbox.messages.clear(destination: nil)
  }

  private func report(_ session: TelesignWorld.AppSession, _ status: String) throws -> Exchange {
    try telesign.handset(
      .post, "verifications/\(session.reference)/push-status", session.token, #"{"push_status":"\#(status)"}"#
    )
  }

  @Test("the device gets a push, and nothing else is sent")
  func asked() throws {
    let session = try telesign.startLogin()

    #expect(try telesign.state(session.reference) == "CREATED: push CREATED 3901, sms CREATED")
    #expect(try telesign.inbox(TelesignWorld.number).map(\.channel) == [.push])
    let push = try #require(
      try telesign.challenge(session)?.push.flatMap { try telesign.sandbox.pushes.find($0) })
    #expect(push.token == TelesignWorld.token)
    #expect(
      push.payload
        == #"{"target":{"kind":"token","value":"\#(TelesignWorld.token)"},"via":"fcm-v1","source":"internal","#
        + #""provider":"telesign","priority":"high","ttlSeconds":60,"visible":false,"data":{"provider":"telesign","#
        + #""type":"push_verify","reference_id":"\#(session.reference)","mobile_app_token":"\#(session.token)","#
        + #""expires_on":"2026-01-05T10:21:30.000000Z"},"notification":null}"#)
  }

  @Test("approving verifies")
  func approved() throws {
    let session = try telesign.startLogin()

    let answer = try telesign.decide(session, "approve", on: device)

    answer.matches(golden: "approved")
    #expect(try answer.members().string("state") == "VERIFIED")
    #expect(try telesign.state(session.reference) == "VERIFIED: push VERIFIED 3900, sms SKIPPED")
  }

  @Test("denying rejects, and no other method is tried")
  func denied() throws {
    let session = try telesign.startLogin()

    let answer = try telesign.decide(session, "deny", on: device)
    try telesign.advance(120)

    #expect(try answer.statusAndCode() == "200 3904")
    #expect(try answer.members().string("state") == "REJECTED")
    #expect(try telesign.state(session.reference) == "REJECTED: push REJECTED 3904, sms SKIPPED")
    #expect(try telesign.inbox(TelesignWorld.number).map(\.channel) == [.push])
  }

  @Test("with a setting, a denial falls back to the next method")
  func deniedWithFallback() throws {
    try telesign.configure(#""verify.push_deny_fallback":true"#)
    let session = try telesign.startLogin()

    let answer = try telesign.decide(session, "deny", on: device)

    #expect(try answer.members().string("state") == "ONGOING")
    #expect(try telesign.state(session.reference) == "ONGOING: push REJECTED 3904, sms ONGOING 3901")
    #expect(try telesign.decide(session, "approve", on: device).statusAndCode() == "400 3931")
    #expect(try telesign.finalize(session.reference).statusAndCode() == "200 3900")
  }

  @Test("without an answer an SMS is sent, and the push can no longer be answered")
  func ignored() throws {
    let session = try telesign.startLogin()
    #expect(try telesign.finalize(session.reference, "123456").statusAndCode() == "400 3931")
    try telesign.advance(60)

    let late = try telesign.decide(session, "approve", on: device)

    #expect(try late.statusAndCode() == "400 3908")
    #expect(try telesign.state(session.reference) == "ONGOING: push FAILED 3056, sms ONGOING 3901")
    #expect(try telesign.finalize(session.reference).statusAndCode() == "200 3900")
  }

  @Test("a second decision, another number's device and a verification without push are rejected")
  func refused() throws {
    let session = try telesign.startLogin()
    let other = try telesign.registeredDevice("15558675310", token: "fcm-9")
    let unknown = try telesign.decide(session, "approve", on: "nobody")

    unknown.matches(golden: "unknown-device")
    #expect(try unknown.statusAndCode() == "404 3110")
    #expect(try telesign.decide(session, "approve", on: other).statusAndCode() == "404 3110")
    #expect(try telesign.decide(session, "maybe", on: device).statusAndCode() == "400 3110")
    #expect(try telesign.state(session.reference) == "CREATED: push CREATED 3901, sms CREATED")
    _ = try telesign.decide(session, "deny", on: device)
    #expect(try telesign.decide(session, "approve", on: device).statusAndCode() == "400 3931")
    let registration = try telesign.startRegistration()
    #expect(try telesign.decide(registration, "approve", on: device).statusAndCode() == "400 3931")
    #expect(try report(registration, "read").statusAndCode() == "400 3931")
  }

  @Test("another app of the number cannot decide")
  func otherApp() throws {
    let session = try telesign.startLogin()
    let registration = try telesign.startRegistration()
    let second = try telesign.register(registration, app: "com.your.other").members().string("device_id")

    #expect(try telesign.decide(session, "approve", on: second).statusAndCode() == "404 3110")
    #expect(try telesign.decide(session, "approve", on: device).statusAndCode() == "200 3900")
  }

  @Test("a token of another verification cannot decide")
  func foreignToken() throws {
    let (one, other) = try (telesign.startLogin(), telesign.startLogin())

    let refused = try telesign.handset(
      .post, "verifications/\(one.reference)/decision", other.token,
      #"{"decision":"approve","device_id":"\#(device)"}"#)

    #expect(refused.answer == #"401 {"status":{"code":3400,"description":"Not authorized"}}"#)
    #expect(try telesign.challenge(one)?.answer == nil)
  }

  @Test("the app's report about a push is in the method's status and in a callback")
  func marks() throws {
    try telesign.configure(#""account.callback_url":"http://127.0.0.1:9/hook""#)
    let session = try telesign.startLogin()

    let delivered = try report(session, "delivered")
    let afterDelivery = try telesign.state(session.reference)
    telesign.world.sendWebhooks()
    let read = try report(session, "read")
    telesign.world.sendWebhooks()
    _ = try report(session, "read")
    telesign.world.sendWebhooks()

    read.matches(golden: "read")
    try report(session, "seen").matches(golden: "unknown-status")
    #expect(try [delivered, read].map { try $0.statusAndCode() } == ["200 3000", "200 3005"])
    #expect(afterDelivery == "ONGOING: push ONGOING 3000, sms CREATED")
    #expect(try telesign.state(session.reference) == "ONGOING: push ONGOING 3005, sms CREATED")
    let codes = try telesign.world.receiver.deliveries.map { delivery in
      try Fields(delivery.request.body).objects("inner_methods")[0].int("err_code")
    }
    #expect(codes == [3000, 3005])
  }

  @Test("a push that is read after the timeout changes nothing")
  func lateMark() throws {
    let session = try telesign.startLogin()
    try telesign.advance(60)

    #expect(try report(session, "read").statusAndCode() == "200 3005")

    #expect(try telesign.state(session.reference) == "ONGOING: push FAILED 3056, sms ONGOING 3901")
  }

  @Test(
    "without a registered device with the number and token an SMS is sent at once",
    arguments: [("15558675310", TelesignWorld.token), (TelesignWorld.number, "fcm-unknown")])
  func noDevice(number: String, token: String) throws {
    let session = try telesign.startLogin(of: number, token: token)

    #expect(try telesign.state(session.reference) == "ONGOING: push FAILED 3055, sms ONGOING 3901")
    #expect(try telesign.inbox(number).map(\.channel) == [.sms])
    #expect(try telesign.challenge(session) == nil)
  }

  @Test(
    "a code to scan needs no push; any device of the number can decide",
    arguments: ["stamp", "qr"])
  func scanned(method: String) throws {
    let session = try telesign.startLogin(method, token: "fcm-unknown")
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
    #expect(try report(session, "read").statusAndCode() == "400 3931")

    let answer = try telesign.decide(session, "approve", on: device)

    #expect(try answer.statusAndCode() == "200 3900")
    #expect(try telesign.sandbox.events.after(0).contains { $0.kind == .challengeScanned })
    #expect(try telesign.state(session.reference) == "VERIFIED: stamp VERIFIED 3900, sms SKIPPED")
  }

  @Test(
    "a number's ending answers the push, unless its record says otherwise",
    arguments: [
      ("15558670700", "null", "VERIFIED"), ("15558670701", "null", "REJECTED"),
      ("15558670702", "null", "CREATED"), ("15558670700", #""deny""#, "REJECTED"),
      ("15558670700", #""ignore""#, "CREATED"), (TelesignWorld.number, #""approve""#, "VERIFIED"),
    ])
  func endings(number: String, record: String, state: String) throws {
    try telesign.registeredDevice(number)
    try telesign.seed(#"{"subscribers":[{"number":"+\#(number)","pushes":\#(record)}]}"#)

    let session = try telesign.startLogin(of: number)

    #expect(try telesign.state(session.reference).hasPrefix("\(state):"))
  }

  @Test("an answer through the control API is the same as the handset's")
  func control() throws {
    let session = try telesign.startLogin()

    let answer = try telesign.send(.post, "/control/devices/\(session.reference)/approve")

    #expect(answer.answer.contains(#""state":"approved""#))
    #expect(try telesign.state(session.reference).hasPrefix("VERIFIED:"))
    #expect(try telesign.decide(session, "deny", on: device).statusAndCode() == "400 3931")
  }

  @Test("a challenge is withdrawn when its verification ends in another way")
  func withdrawn() throws {
    let session = try telesign.startLogin()
    let question = try #require(try telesign.challenge(session))
    let verification = try #require(
      try telesign.sandbox.verifications.latest(
        Claim(
          provider: "telesign", owner: TelesignWorld.customer, destination: "+\(TelesignWorld.number)")))

    _ = try telesign.sandbox.verifications.finish(verification, as: .canceled)

    #expect(try telesign.sandbox.challenges.find(question.ordinal)?.state(at: TestSandbox.start) == .expired)
    #expect(try telesign.decide(session, "approve", on: device).statusAndCode() == "400 3908")
  }
}
