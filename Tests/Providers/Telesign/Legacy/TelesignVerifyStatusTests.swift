import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · verify status and completion", .contract("telesign.md 7.4, 7.5"))
struct TelesignVerifyStatusTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("a status query counts no attempt and shows the delivery status")
  func query() throws {
    let reference = try telesign.sms().reference()
    for _ in 0..<5 { _ = try telesign.status(reference) }
    try telesign.advance(1)

    let exchange = try telesign.status(reference)

    exchange.matches(golden: "delivered")
    #expect(try exchange.statusCode() == 200)
    #expect(try telesign.codeState(reference, telesign.code()) == "VALID")
  }

  @Test("a right code is valid, stays valid, and is shown as entered")
  func right() throws {
    let reference = try telesign.sms().reference()
    let code = try telesign.code()

    let exchange = try telesign.status(reference, code: code)

    exchange.matches(golden: "valid")
    #expect(try telesign.codeState(reference, code) == "VALID")
    #expect(try telesign.codeState(reference, "0") == "INVALID")
    try telesign.advance(301)
    #expect(try telesign.codeState(reference, code) == "VALID")
    let shown = try telesign.status(reference).members().object("verify")
    #expect(try shown.string("code_state") == "VALID" && shown.string("code_entered") == code)
  }

  @Test("after three wrong codes no code is accepted any more")
  func wrong() throws {
    let reference = try telesign.sms().reference()
    let code = try telesign.code()
    let states = try ["0", "00", "x"].map { try telesign.codeState(reference, $0) }

    #expect(states == ["INVALID", "INVALID", "INVALID"])
    #expect(try telesign.codeState(reference, code) == "MAX_ATTEMPTS_EXCEEDED")
    #expect(try telesign.codeState(reference, code) == "MAX_ATTEMPTS_EXCEEDED")
    try telesign.advance(301)
    #expect(try telesign.codeState(reference, code) == "MAX_ATTEMPTS_EXCEEDED")
  }

  @Test("a code expires after five minutes; until one is submitted, the state is unknown")
  func late() throws {
    let reference = try telesign.sms().reference()
    try telesign.advance(301)

    let before = try telesign.status(reference).members().object("verify").string("code_state")

    #expect(before == "UNKNOWN")
    #expect(try telesign.codeState(reference, telesign.code()) == "EXPIRED")
  }

  @Test("unknown query fields are ignored; an empty code counts as missing")
  func query2() throws {
    let reference = try telesign.sms().reference()

    let exchange = try telesign.get("/v1/verify/\(reference)?headers=Accept&verify_code=")

    #expect(exchange.isAccepted)
    #expect(try exchange.members().object("verify").string("code_state") == "UNKNOWN")
  }

  @Test("malformed, unknown, foreign and expired ids are rejected")
  func references() throws {
    let reference = try telesign.sms().reference()
    let other = Request.basic("11111111-2222-3333-4444-555555555555", "x")
    let malformed = try telesign.status("xyz")
    let unknown = try telesign.status(String(repeating: "F", count: 32))
    let foreign = try telesign.get("/v1/verify/\(reference)", as: other)
    try telesign.advance(24 * 3600)
    let old = try telesign.status(reference)

    malformed.matches(golden: "malformed-reference")
    unknown.matches(golden: "unknown-reference")
    foreign.matches(golden: "foreign-reference")
    old.matches(golden: "expired-reference")
    #expect(try malformed.errorCodes() == "400 500 -10001")
    #expect(try unknown.errorCodes() == "404 599 -10001")
    #expect(try foreign.errorCodes() == "404 599 -10001")
    #expect(try old.errorCodes() == "404 599 -10004")
  }

  @Test("an id that is no longer in the history counts as expired")
  func forgotten() throws {
    try telesign.configure(#""reference.retention_h":8760"#)
    let reference = try telesign.sms().reference()
    try telesign.advance(8 * 86_400)

    #expect(try telesign.status(reference).errorCodes() == "404 599 -10004")
  }

  @Test("an app reports completion")
  func completion() throws {
    let reference = try telesign.sms().reference()
    let path = "/v1/verify/completion/"

    let exchange = try telesign.send(.put, path + reference)
    let unknown = try telesign.send(.put, path + String(repeating: "F", count: 32))
    let malformed = try telesign.send(.put, path + "xyz")

    exchange.matches(golden: "recorded")
    unknown.matches(golden: "unknown-reference")
    #expect(try exchange.statusCode() == 1900)
    #expect(try unknown.errorCodes() == "400 500 -30013")
    #expect(try malformed.errorCodes() == "400 500 -30013")
    let other = Request.basic("11111111-2222-3333-4444-555555555555", "x")
    #expect(try telesign.send(.put, path + reference, as: other).errorCodes() == "400 500 -30013")
    let app = try telesign.app("initiate", ["phone_number": TelesignWorld.number]).reference()
    #expect(try telesign.send(.put, path + app).errorCodes() == "400 500 -30013")
    #expect(try telesign.send(.post, path + reference).errorCodes() == "405 500 -40005")
    try telesign.advance(24 * 3600)
    #expect(try telesign.send(.put, path + reference).errorCodes() == "404 599 -10004")
  }
}
