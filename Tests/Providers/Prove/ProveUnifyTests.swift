import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · unify", .contract("prove.md 4"))
struct ProveUnifyTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  @Test("unify starts a session and returns a token for the device")
  func pending() throws {
    let body = #"{"clientRequestId":"r1","phoneNumber":"2001004014","possessionType":"mobile"}"#

    try prove.call(.post, "/v3/unify", body).matches(golden: "pending")
  }

  @Test("the possession type is required")
  func missingType() throws {
    try prove.call(.post, "/v3/unify", "{}").matches(golden: "missing-type")
  }

  @Test(
    "wrong members are named",
    arguments: [
      (#""possessionType":"tablet""#, "possessionType"), (#""possessionType":"desktop""#, "finalTargetUrl"),
      (#""possessionType":"mobile","phoneNumber":"12""#, "phoneNumber"),
      (#""possessionType":"mobile","proveId":"0d9e0c1c-6f43-4b44-9a52-6c6b6b0b9d10""#, "proveId"),
      (#""possessionType":"mobile","smsMessage":"no placeholder""#, "smsMessage"),
      ("\"possessionType\":\"mobile\",\"smsMessage\":\"### and #######\"", "smsMessage"),
      (#""possessionType":"mobile","emailAddress":"a b@c.de""#, "emailAddress"),
      (#""possessionType":"mobile","ipAddress":"::1%lo""#, "ipAddress"),
      (#""possessionType":"mobile","rebind":"true""#, "rebind"),
      (#""possessionType":"mobile","finalTargetUrl":"https://a/?b=1&c=2""#, "finalTargetUrl"),
    ])
  func invalid(members: String, field: String) throws {
    let answer = try prove.call(.post, "/v3/unify", "{\(members)}").answer

    #expect(answer.hasPrefix(#"400 {"code":8001,"message":"field '\#(field)'"#), "\(answer)")
  }

  @Test("a number must belong to the region of the provider's host")
  func region() throws {
    let body = #"{"possessionType":"mobile","phoneNumber":"+2001004025"}"#

    #expect(
      try prove.call(.post, "/v3/unify", body, host: "platform.uat.proveapis.com").answer.hasPrefix("400 "))
    #expect(
      try prove.call(.post, "/v3/unify", body, host: "platform.uat.eu.proveapis.com").answer.hasPrefix("200 ")
    )
  }

  @Test(
    "test users of the sandbox fail the first call as their script says",
    arguments: [("2001009005", ["500", "500"]), ("2001009006", ["429", "200"])])
  func scripts(number: String, statuses: [String]) throws {
    let body = #"{"possessionType":"mobile","phoneNumber":"\#(number)"}"#
    let found = try statuses.map { _ in try prove.call(.post, "/v3/unify", body).answer.prefix(3) }

    #expect(found.map { String($0) } == statuses)
  }

  @Test("other numbers are accepted if the settings say so, and get a code of their own")
  func strangers() throws {
    try prove.seed(#"{"settings":{"unknownNumbers":"accept"}}"#)
    let started = try prove.waitingForCode("2125550100")
    let codes = try prove.sandbox.verifications.all(of: "prove").map(\.code)

    #expect(codes.map(\.count) == [4])
    _ = try prove.act(started, "otp/finish", #"{"resultType":0,"input":{"otp":"\#(codes[0])"}}"#)
    #expect(try prove.outcome(started) == "true")
  }

  @Test("a known proveId stands in for the number")
  func proveID() throws {
    _ = try prove.boundDevice()
    let known = try prove.unify("2001004018")
    let id = try prove.fields(of: prove.status(known)).string("proveId")

    let started = try prove.unify(nil, "mobile", #""proveId":"\#(id)""#)

    #expect(try prove.fields(of: prove.status(started)).string("phoneNumber") == "+12001004018")
  }
}

@Suite("Prove · unify-status and unify-bind", .contract("prove.md 4.3"))
struct ProveUnifyStatusTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  private func enter(_ code: String) -> String { #"{"resultType":0,"input":{"otp":"\#(code)"}}"# }

  @Test("the right code passes; a repetition has the same answer")
  func passed() throws {
    let started = try prove.waitingForCode()
    _ = try prove.act(started, "otp/finish", enter("1234"))

    let first = try prove.status(started)
    first.matches(golden: "passed")
    #expect(try prove.status(started).answer == first.answer)
  }

  @Test("unknown, foreign and expired sessions are the same error")
  func unknown() throws {
    let started = try prove.unify()
    let other = Credential(provider: "prove", name: "other", secret: "secret", account: "other")
    #expect(try prove.sandbox.accounts.register(other))
    let foreign = AccessToken(for: "other", lifetime: .seconds(60), in: prove.sandbox).text(
      id: "1", in: prove.sandbox)
    let body = #"{"correlationId":"\#(started.correlationID)"}"#
    let refused = try prove.call(.post, "/v3/unify-status", body, token: foreign)

    refused.matches(golden: "foreign-session")
    try prove.advance(900)
    #expect(try prove.status(started).answer == refused.answer)
  }

  @Test("each row of the decision table without a key", arguments: ["mobile", "desktop", "none"])
  func withoutDevice(possession: String) throws {
    let started = try prove.unify("2001004014", possession, #""finalTargetUrl":"https://example.com/""#)
    #expect(try prove.outcome(started) == "false 9100")

    _ = try prove.authenticate(started, #"{"features":["otp"]}"#)
    #expect(try prove.outcome(started) == (possession == "none" ? "possession_required" : "pending"))
    if possession == "none" { return }
    _ = try prove.act(started, "cancel")
    #expect(try prove.outcome(started) == "false 9100")
  }

  @Test("a short-term user passes without a device and has no key", arguments: ["mobile", "desktop"])
  func shortTerm(possession: String) throws {
    let started = try prove.unify("2001004018", possession, #""finalTargetUrl":"https://example.com/""#)

    #expect(try prove.outcome(started) == "true")
    #expect(try !prove.status(started).answer.contains("deviceId"))
  }

  @Test(
    "the key of the device decides",
    arguments: [
      ("2001004014", "mobile", "", "true"), ("2001004015", "mobile", "", "false 9101"),
      ("2001004014", "none", "", "true"), ("2001004015", "none", "", "possession_required 9101"),
      ("2001004014", "none", #""rebind":true"#, "possession_required"),
      ("2001004014", "mobile", #""rebind":true"#, "pending"),
    ])
  func withKey(number: String, possession: String, more: String, outcome: String) throws {
    let device = try prove.boundDevice()
    let started = try prove.unify(number, possession, more.isEmpty ? #""clientRequestId":"r""# : more)

    _ = try prove.authenticate(started, "{\(device),\"features\":[\"otp\"]}")

    #expect(try prove.outcome(started) == outcome)
  }

  @Test("without a number, the key's number counts", arguments: ["mobile", "none"])
  func numberOfKey(possession: String) throws {
    let device = try prove.boundDevice()
    let started = try prove.unify(nil, possession)

    _ = try prove.authenticate(started, "{\(device)}")

    #expect(try prove.fields(of: prove.status(started)).string("phoneNumber") == "2001004014")
  }

  @Test("a failed rebind leaves the old binding")
  func failedRebind() throws {
    let device = try prove.boundDevice()
    let rebind = try prove.unify("2001004015", "mobile", #""rebind":true"#)
    _ = try prove.authenticate(rebind, "{\(device),\"features\":[\"otp\"]}")
    _ = try prove.act(rebind, "otp/start")
    _ = try prove.act(rebind, "otp/finish", enter("9999"))
    #expect(try prove.outcome(rebind) == "false 9100")

    let started = try prove.unify()
    _ = try prove.authenticate(started, "{\(device)}")
    #expect(try prove.outcome(started) == "true")
  }

  @Test("a number is bound to the device once the status asked for it")
  func bind() throws {
    let started = try prove.unify("2001004014", "none")
    _ = try prove.authenticate(started)
    try prove.bind(started).matches(golden: "out-of-order")
    _ = try prove.status(started)

    #expect(try prove.bind(started, "2001004015").answer.contains(#""success":"false""#))
    #expect(try prove.outcome(started) == "possession_required")
    try prove.bind(started).matches(golden: "bound")
    #expect(try prove.bind(started).answer.contains(#""success":"true""#))
    #expect(try prove.outcome(started) == "true")
  }

  @Test("the journal says why a status is false")
  func journal() throws {
    let started = try prove.waitingForCode()
    _ = try prove.act(started, "otp/finish", enter("0000"))

    #expect(try prove.status(started).why == "the one-time code is wrong (entry 1)")
    #expect(try prove.status(prove.unify()).why == "no device has authenticated with the auth token")
  }
}
