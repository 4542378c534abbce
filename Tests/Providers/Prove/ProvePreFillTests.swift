import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Prove

@Suite("Prove · Pre-Fill", .contract("prove.md 7.1"))
struct ProvePreFillTests {
  private static let milo = #""individual":{"firstName":"Milo","lastName":"Pinson""#

  @Test("the four calls follow each other")
  func order() throws {
    let prove = try ProveWorld()
    let started = try prove.call(
      .post, "/v3/start", #"{"flowType":"mobile","phoneNumber":"2001001695","ipAddress":"10.0.0.1"}"#)
    started.matches(golden: "started")
    let id = try prove.fields(of: started).string("correlationId")

    #expect(try prove.step("complete", id, Self.milo + "}").answer == Self.notAllowed)
    try prove.step("validate", id).matches(golden: "passed")
    #expect(try prove.step("validate", id).answer == Self.notAllowed)
    #expect(try prove.step("challenge", id).answer == Self.missing("dob"))
    try prove.step("challenge", id, #""dob":"1981-01","ssn":"0596""#).matches(golden: "passed")
    let whole = Self.milo + #","dob":"1981-01-17","ssn":"847350596","addresses":[{"postalCode":"80161"}]}"#
    try prove.step("complete", id, whole).matches(golden: "passed")
    #expect(try prove.step("complete", id, whole).why == "the last `next` was done, not complete")
  }

  private static let notAllowed = #"403 {"code":8003,"message":"step not allowed"}"#

  private static func missing(_ field: String) -> String {
    #"400 {"code":8001,"message":"field '\#(field)' is missing"}"#
  }

  @Test("without a device, other users fail at validate")
  func withoutDevice() throws {
    let prove = try ProveWorld()
    let id = try prove.start(#","phoneNumber":"2001001693","dob":"1982-07-19""#)
    let answer = try prove.step("validate", id)

    answer.matches(golden: "failed")
    #expect(answer.why == "no device has proven the possession")
    #expect(try prove.step("challenge", id).answer == Self.notAllowed)
  }

  @Test("a device proves the possession, and data from the start make the challenge's own optional")
  func withDevice() throws {
    let prove = try ProveWorld()
    let id = try prove.start(#","phoneNumber":"2001001693","last4SSN":"6227""#)
    try prove.pass(id)

    #expect(try prove.step("validate", id).answer.contains(#""challengeMissing":false"#))
    #expect(try prove.step("challenge", id).answer.contains("Memphis"))
  }

  @Test(
    "wrong data fail with their code, and return nothing",
    arguments: [(#""dob":"1982-02-02""#, "9013"), (#""ssn":"1111""#, "9012")])
  func wrongData(claims: String, code: String) throws {
    let prove = try ProveWorld()
    let id = try prove.start(#","phoneNumber":"2001001695""#)
    _ = try prove.step("validate", id)
    let answer = try prove.step("challenge", id, claims).answer

    #expect(answer.hasPrefix(#"200 {"success":false,"evaluation":{"identification":{"result":"fail""#))
    #expect(answer.contains("\"\(code)\":") && !answer.contains("Pinson"))
  }

  @Test("complete compares the person, and reports to clients with the add-on")
  func complete() throws {
    let prove = try ProveWorld()
    try prove.seed(
      #"{"clients":[{"clientId":"sandbox-client","clientSecret":"sandbox-secret","kyc":true,"preFill":false}]}"#
    )
    let id = try prove.start(#","phoneNumber":"2001001695""#)
    #expect(
      try prove.step("validate", id).answer.contains(
        #""challengeMissing":false,"phoneNumber":"2001001695","evaluation":{"authentication":{"result":"pass"}},"next":{"v3-complete":"/v3/complete"}"#
      ))

    let body = #""individual":{"firstName":"Milo","lastName":"Other","addresses":[{"postalCode":"10001"}]}"#
    try prove.step("complete", id, body).matches(golden: "failed-with-report")
  }

  @Test(
    "the scripts of Nevin and Agretha are off, unless a setting switches them on", arguments: [false, true])
  func scripts(areOn: Bool) throws {
    let prove = try ProveWorld()
    try prove.seed(#"{"settings":{"preFillFailures":\#(areOn)}}"#)
    let nevin = try prove.passedStart(#","phoneNumber":"2001001688","dob":"1980-03-20""#)
    #expect(try prove.step("challenge", nevin).answer.contains(#""success":\#(!areOn)"#))

    let agretha = try prove.passedStart(#","phoneNumber":"2001001687","dob":"1994-12-29""#)
    _ = try prove.step("challenge", agretha)
    let body = #""individual":{"firstName":"Agretha","lastName":"Chene"}"#
    #expect(try prove.step("complete", agretha, body).answer.contains(#""success":\#(!areOn)"#))
  }

  @Test(
    "a wrong start names the field",
    arguments: [
      ("{}", "field 'flowType' is missing"),
      (#"{"flowType":"none"}"#, "field 'flowType' is invalid: expected one of mobile, desktop"),
      (#"{"flowType":"desktop"}"#, "field 'finalTargetUrl' is missing"),
      (
        #"{"flowType":"mobile","dob":"81-1-1"}"#,
        "field 'dob' is invalid: expected YYYY-MM-DD, YYYY-MM or MM-DD"
      ),
      (
        #"{"flowType":"mobile","ssn":"12345"}"#,
        "field 'ssn' is invalid: expected nine digits, or the last four"
      ),
    ])
  func wrongStart(body: String, message: String) throws {
    #expect(
      try ProveWorld().call(.post, "/v3/start", body).answer == #"400 {"code":8001,"message":"\#(message)"}"#)
  }

  @Test("older numbers of errors are a setting, also those of tokens", .contract("prove.md 3.5"))
  func legacyNumbers() throws {
    let prove = try ProveWorld()
    try prove.seed(#"{"settings":{"errorCodes":"legacy"}}"#)
    let id = try prove.start(#","phoneNumber":"2001001695""#)

    #expect(try prove.step("complete", id).answer == #"403 {"code":1003,"message":"step not allowed"}"#)
    #expect(
      try prove.call(.post, "/v3/start", "{}").answer
        == #"400 {"code":1001,"message":"field 'flowType' is missing"}"#)
    #expect(
      try prove.ask(grant: nil).answer == #"400 {"code":1001,"message":"field 'grant_type' is missing"}"#)
  }

  @Test("a session expires after 15 minutes")
  func expiry() throws {
    let prove = try ProveWorld()
    let id = try prove.start(#","phoneNumber":"2001001695""#)
    try prove.advance(901)

    #expect(try prove.step("validate", id).answer == #"400 {"code":8008,"message":"invalid correlation ID"}"#)
  }
}

extension ProveWorld {
  /// The id of a new flow.
  func start(_ members: String) throws -> String {
    try fields(of: call(.post, "/v3/start", #"{"flowType":"mobile"\#(members)}"#)).string("correlationId")
  }

  /// Ends the possession check of a flow as a right code would.
  func pass(_ correlationID: String) throws {
    let client = try Client.known(in: sandbox)
    try sandbox.atomically {
      let session = try Session.find(correlationID, .preFill, of: client, in: sandbox)
      var possession = Possession(session, Settings(), client: client, in: sandbox)
      try possession.pass(by: .otp)
    }
  }

  /// The same, with a device that has passed, validated.
  func passedStart(_ members: String) throws -> String {
    let id = try start(members)
    try pass(id)
    _ = try step("validate", id)
    return id
  }

  func step(_ name: String, _ correlationID: String, _ members: String = "") throws -> Exchange {
    let more = members.isEmpty ? "" : ",\(members)"
    return try call(.post, "/v3/\(name)", #"{"correlationId":"\#(correlationID)"\#(more)}"#)
  }
}
