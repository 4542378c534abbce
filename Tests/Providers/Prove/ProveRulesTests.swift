import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Prove

@Suite("Prove · rules of flows", .contract("prove.md 5"))
struct ProveRulesTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  private static let link = #""finalTargetUrl":"https://example.com/done""#

  private func allow(_ option: String, _ value: Bool) throws {
    try prove.seed(
      #"{"clients":[{"clientId":"sandbox-client","clientSecret":"sandbox-secret","\#(option)":\#(value)}]}"#)
  }

  @Test(
    "the client's options and the app's features choose the first step",
    arguments: [
      ("mobileAuth", #""mobileAuth","otp""#, "otp_start"), ("kyc", #""mobileAuth","otp""#, "mobile_auth"),
      ("instantLinkMobile", #""instantLink""#, "auth_finish not_enabled"),
      ("kyc", #""instantLink""#, "instant_link_start"),
      ("kyc", #""otp","instantLink""#, "otp_start"), ("kyc", "", "auth_finish"),
    ])
  func firstStep(switchedOff: String, features: String, step: String) throws {
    try allow(switchedOff, false)
    let started = try prove.unify("2001004016", "mobile", Self.link)

    #expect(try prove.step(prove.authenticate(started, "{\"features\":[\(features)]}")) == step)
  }

  @Test(
    "a request can switch Mobile Auth on and off", arguments: [(true, "mobile_auth"), (false, "otp_start")])
  func mobileAuthEnabled(isEnabled: Bool, step: String) throws {
    try allow("mobileAuth", !isEnabled)
    let started = try prove.unify("2001004016", "mobile", #""mobileAuthEnabled":\#(isEnabled)"#)

    #expect(try prove.step(prove.authenticate(started, #"{"features":["mobileAuth","otp"]}"#)) == step)
  }

  @Test("a link in an app needs a target")
  func linkWithoutTarget() throws {
    let started = try prove.unify()

    #expect(
      try prove.step(prove.authenticate(started, #"{"features":["instantLink"]}"#))
        == "auth_finish not_enabled")
  }

  @Test("a link in an app can be opened for five minutes")
  func mobileLinkTimeout() throws {
    let started = try prove.waitingForClick("mobile", device: #"{"features":["instantLink"]}"#)
    try prove.advance(299)
    #expect(try prove.outcome(started) == "pending")
    try prove.advance(1)

    #expect(try prove.outcome(started) == "false 9100")
    #expect(try prove.open(prove.link()).answer.hasPrefix("410 "))
    #expect(try prove.step(prove.act(started, "", "", .get)) == "auth_finish expired")
  }

  @Test("a target with a query is continued")
  func targetWithQuery() throws {
    let started = try prove.unify("2001004014", "desktop", #""finalTargetUrl":"https://example.com/?a=1""#)
    _ = try prove.authenticate(started)
    _ = try prove.act(started, "instant-link/start")

    let location = try prove.open(prove.link()).headers["Location"]
    #expect(location == "https://example.com/?a=1&asc=true&authId=\(started.authID)")
  }

  @Test("a user who needs no device passes with one too, without a key")
  func shortTerm() throws {
    let started = try prove.unify("2001004018")

    let answer = try prove.authenticate(started)
    #expect(try prove.step(answer) == "auth_finish")
    #expect(!answer.answer.contains("deviceId"))
    #expect(try prove.outcome(started) == "true")
  }

  @Test("an older client names the number of a customer-supplied check in unify-status")
  func numberInStatus() throws {
    let started = try prove.unify(nil, "none")
    _ = try prove.authenticate(started)
    let body = #"{"correlationId":"\#(started.correlationID)","phoneNumber":"2001004014"}"#

    #expect(try prove.call(.post, "/v3/unify-status", body).answer.contains(#""phoneNumber":"2001004014""#))
    #expect(try prove.bind(started, "2001004015").answer.contains(#""success":"false""#))
    #expect(try prove.bind(started).answer.contains(#""success":"true""#))
  }

  @Test("a session that another operation started is unknown to unify-status")
  func otherKind() throws {
    var session = Session(
      .preFill, .mobile, of: try .known(in: prove.sandbox), lifetime: .seconds(900), in: prove.sandbox)
    session.number = "2001001695"
    try session.insert(in: prove.sandbox)
    let started = ProveWorld.Started(
      correlationID: session.correlationID, authToken: "", authID: session.authID)

    #expect(try prove.status(started).answer == #"400 {"code":8008,"message":"invalid correlation ID"}"#)
  }

  @Test("sessions older than the sandbox's history are deleted, also under a frozen clock")
  func history() throws {
    var retention = Retention()
    retention.maxOrdinals = 20
    let prove = ProveWorld(
      world: try TestSandbox(of: ProveProvider.self) {
        $0.acceptsUnknownAccounts = false
        $0.retention = retention
      })
    let old = try prove.unify()
    for _ in 1...6 { _ = try prove.unify() }

    #expect(try Session.find(authID: old.authID, in: prove.sandbox) == nil)
  }

  @Test("a scenario loses the message, not the code")
  func lostMessage() throws {
    _ = try prove.world.send(
      .json(
        .put, "/control/scenarios",
        #"{"scenarios":[{"match":{"provider":"prove"},"outcome":"undeliverable"}]}"#))
    let started = try prove.waitingForCode()

    #expect(try prove.sandbox.messages.inbox(.init()) == [])
    _ = try prove.act(started, "otp/finish", #"{"resultType":0,"input":{"otp":"1234"}}"#)
    #expect(try prove.outcome(started) == "true")
  }

  @Test(
    "wrong bodies of devices are named",
    arguments: [
      ("otp/finish", "{}", "resultType"), ("otp/finish", #"{"resultType":7}"#, "resultType"),
      ("otp/finish", #"{"resultType":0}"#, "input.otp"), ("otp/finish", #"{"resultType":"0"}"#, "resultType"),
    ])
  func invalid(action: String, body: String, field: String) throws {
    let started = try prove.waitingForCode()

    let answer = try prove.act(started, action, body).answer
    #expect(answer.hasPrefix(#"400 {"code":8001,"message":"field '\#(field)'"#), "\(answer)")
  }
}
