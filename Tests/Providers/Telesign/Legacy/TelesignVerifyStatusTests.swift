import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · verify status and completion", .contract("telesign.md 7.4, 7.5"))
struct TelesignVerifyStatusTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("asking for the status counts no attempt and says how far the message is")
  func query() throws {
    let reference = try telesign.sms().reference()
    for _ in 0..<5 { _ = try telesign.status(reference) }
    try telesign.advance(1)

    let exchange = try telesign.status(reference)

    exchange.matches(golden: "delivered")
    #expect(try exchange.statusCode() == 200)
    #expect(try telesign.verdict(reference, telesign.code()) == "VALID")
  }

  @Test("a right code is valid, stays so, and is shown as it was entered")
  func right() throws {
    let reference = try telesign.sms().reference()
    let code = try telesign.code()

    let exchange = try telesign.status(reference, code: code)

    exchange.matches(golden: "valid")
    #expect(try telesign.verdict(reference, code) == "VALID")
    #expect(try telesign.verdict(reference, "0") == "INVALID")
    try telesign.advance(301)
    #expect(try telesign.verdict(reference, code) == "VALID")
    let shown = try telesign.status(reference).members().object("verify")
    #expect(try shown.string("code_state") == "VALID" && shown.string("code_entered") == code)
  }

  @Test("three wrong codes are invalid, and then nothing is right any more, whenever it comes")
  func wrong() throws {
    let reference = try telesign.sms().reference()
    let code = try telesign.code()
    let states = try ["0", "00", "x"].map { try telesign.verdict(reference, $0) }

    #expect(states == ["INVALID", "INVALID", "INVALID"])
    #expect(try telesign.verdict(reference, code) == "MAX_ATTEMPTS_EXCEEDED")
    #expect(try telesign.verdict(reference, code) == "MAX_ATTEMPTS_EXCEEDED")
    try telesign.advance(301)
    #expect(try telesign.verdict(reference, code) == "MAX_ATTEMPTS_EXCEEDED")
  }

  @Test("a code is expired after five minutes; before one comes, nothing is known")
  func late() throws {
    let reference = try telesign.sms().reference()
    try telesign.advance(301)

    let before = try telesign.status(reference).members().object("verify").string("code_state")

    #expect(before == "UNKNOWN")
    #expect(try telesign.verdict(reference, telesign.code()) == "EXPIRED")
  }

  @Test("fields of the query that nobody knows are passed over; an empty code is none")
  func query2() throws {
    let reference = try telesign.sms().reference()

    let exchange = try telesign.get("/v1/verify/\(reference)?headers=Accept&verify_code=")

    #expect(exchange.isTaken)
    #expect(try exchange.members().object("verify").string("code_state") == "UNKNOWN")
  }

  @Test("an id that is none, that nobody has, that another has, or that is too old is refused")
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
    #expect(try malformed.telesignRefusal() == "400 500 -10001")
    #expect(try unknown.telesignRefusal() == "404 599 -10001")
    #expect(try foreign.telesignRefusal() == "404 599 -10001")
    #expect(try old.telesignRefusal() == "404 599 -10004")
  }

  @Test("what history has forgotten is too old as well")
  func forgotten() throws {
    try telesign.turn(#""reference.retention_h":8760"#)
    let reference = try telesign.sms().reference()
    try telesign.advance(8 * 86_400)

    #expect(try telesign.status(reference).telesignRefusal() == "404 599 -10004")
  }

  @Test("an app reports that it is done")
  func completion() throws {
    let reference = try telesign.sms().reference()
    let path = "/v1/verify/completion/"

    let exchange = try telesign.send(.put, path + reference)
    let unknown = try telesign.send(.put, path + String(repeating: "F", count: 32))
    let malformed = try telesign.send(.put, path + "xyz")

    exchange.matches(golden: "recorded")
    unknown.matches(golden: "unknown-reference")
    #expect(try exchange.statusCode() == 1900)
    #expect(try unknown.telesignRefusal() == "400 500 -30013")
    #expect(try malformed.telesignRefusal() == "400 500 -30013")
    let other = Request.basic("11111111-2222-3333-4444-555555555555", "x")
    #expect(try telesign.send(.put, path + reference, as: other).telesignRefusal() == "400 500 -30013")
    let app = try telesign.app("initiate", ["phone_number": TelesignWorld.number]).reference()
    #expect(try telesign.send(.put, path + app).telesignRefusal() == "400 500 -30013")
    #expect(try telesign.send(.post, path + reference).telesignRefusal() == "405 500 -40005")
    try telesign.advance(24 * 3600)
    #expect(try telesign.send(.put, path + reference).telesignRefusal() == "404 599 -10004")
  }
}
