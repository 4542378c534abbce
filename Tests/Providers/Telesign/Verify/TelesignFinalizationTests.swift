import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Verify API: finalization", .contract("telesign.md 4.6 to 4.8"))
struct TelesignFinalizationTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func wrong() throws -> String { try telesign.code() == "000000" ? "000001" : "000000" }

  @Test("the right code verifies, once")
  func verified() throws {
    let reference = try telesign.start()

    try telesign.finalize(reference).matches(golden: "verified")
    let again = try telesign.finalize(reference)
    again.matches(golden: "ended")
    #expect(try telesign.state(reference) == "VERIFIED: sms VERIFIED 3900")
  }

  @Test("the path without /state is the same operation", .contract("telesign.md 3.3"))
  func shortPath() throws {
    let reference = try telesign.start()
    let body = #"{"action":"finalize","security_factor":"\#(try telesign.code())"}"#

    try telesign.send(.patch, "/verification/\(reference)", json: body).matches(golden: "verified")
    try telesign.send(.patch, "/verification/\(reference)", json: body).matches(golden: "ended")
  }

  @Test("the last wrong code has its own status, in both settings")
  func wrongCodes() throws {
    func statuses() throws -> [String] {
      let reference = try telesign.start()
      let (right, wrong) = (try telesign.code(), try wrong())
      return try [wrong, wrong, wrong, right].map { try telesign.finalize(reference, $0).statusAndCode() }
        + [telesign.state(reference)]
    }
    let live = try statuses()
    try telesign.configure(#""verify.wrong_code":"openapi""#)
    let openAPI = try statuses()

    #expect(live == ["200 3909", "200 3909", "200 3904", "200 3904", "REJECTED: sms REJECTED 3904"])
    #expect(openAPI == ["200 3904", "200 3904", "200 3909", "200 3909", "REJECTED: sms REJECTED 3904"])
  }

  @Test("a code can be stale, then expired, and unknown after that")
  func tooLate() throws {
    try telesign.configure(#""verify.code_ttl_s":60"#)
    let reference = try telesign.start()
    let code = try telesign.code()

    try telesign.advance(60)
    #expect(try telesign.finalize(reference, code).statusAndCode() == "400 3935")
    try telesign.advance(240)
    #expect(try telesign.finalize(reference, code).statusAndCode() == "400 3908")
    #expect(try telesign.state(reference) == "FAILED: sms FAILED 3908")
    try telesign.configure(#""verify.expired_http":200"#)
    #expect(
      try telesign.finalize(reference, code).answer
        == #"200 {"status":{"code":3908,"description":"Verification time expired"}}"#)
  }

  @Test("after the last method has failed, a code is answered with \"method expired\"")
  func failedMethod() throws {
    let reference = try telesign.start("sms", to: "15558670207")
    try telesign.advance(1)

    #expect(try telesign.finalize(reference, "123456").statusAndCode() == "400 3933")
    try telesign.advance(600)
    #expect(try telesign.finalize(reference, "123456").statusAndCode() == "400 3933")
    #expect(try telesign.state(reference) == "FAILED: sms FAILED 3003")
    try telesign.configure(#""verify.expired_http":200"#)
    #expect(
      try telesign.finalize(reference, "123456").answer
        == #"200 {"status":{"code":3933,"description":"Method expired"}}"#)
  }

  @Test("each sending of the code restarts its validity")
  func fallback() throws {
    let reference = try telesign.start("whatsapp 60,sms")
    let other = try telesign.start("whatsapp 60,sms")
    let code = try telesign.code()
    try telesign.advance(61)
    #expect(try telesign.state(other) == "ONGOING: whatsapp FAILED 3056, sms ONGOING 3000")

    try telesign.advance(298)
    #expect(try telesign.finalize(other, code).statusAndCode() == "200 3900")
    try telesign.advance(1)
    #expect(try telesign.finalize(reference).statusAndCode() == "400 3908")
  }

  @Test("no code is accepted before one was sent")
  func unsent() throws {
    let reference = try telesign.start("silent 60,sms")

    #expect(try telesign.finalize(reference, "123456").statusAndCode() == "400 3931")
    #expect(
      try telesign.finalize(reference, "123456").why == "no code was sent yet; the current channel is silent")
    #expect(try telesign.state(reference) == "CREATED: silent CREATED 3901, sms CREATED")
    try telesign.advance(60)
    #expect(try telesign.finalize(reference).statusAndCode() == "200 3900")
  }

  @Test("a custom code is compared as text")
  func ownCode() throws {
    let created = try telesign.create(#","security_factor":"0042""#)
    let reference = try created.members().string("reference_id")

    #expect(try telesign.code() == "0042")
    #expect(try telesign.finalize(reference, "42").statusAndCode() == "200 3909")
    #expect(try telesign.finalize(reference, "0042").statusAndCode() == "200 3900")
  }

  @Test("the body may be in the query, as JSON or as fields", .contract("telesign.md 3.3"))
  func query() throws {
    let (one, other) = (try telesign.start(), try telesign.start())
    let codes = try telesign.inbox(TelesignWorld.number).compactMap(\.code)
    let json = "%7B%22action%22:%20%22finalize%22,%20%22security_factor%22:%20%22\(codes[0])%22%7D"

    try telesign.configure(#""compat.python_patch_query":false"#)
    #expect(try telesign.send(.patch, "/verification/\(one)/state?\(json)").statusAndCode() == "400 3110")
    try telesign.configure(#""compat.python_patch_query":true"#)
    #expect(try telesign.send(.patch, "/verification/\(one)/state?\(json)").statusAndCode() == "200 3900")
    let fields = "action=finalize&security_factor=\(codes[1])"
    #expect(try telesign.send(.patch, "/verification/\(other)/state?\(fields)").statusAndCode() == "200 3900")
  }

  @Test(
    "an invalid finalization is rejected and does not count as an attempt",
    arguments: [
      "", "{", "[]", #"{"action":"finalize"}"#, #"{"security_factor":"123456"}"#,
      #"{"action":"cancel","security_factor":"123456"}"#, #"{"action":"finalize","security_factor":123456}"#,
      #"{"action":"finalize","security_factor":"abc"}"#, #"{"action":"finalize","security_factor":""}"#,
    ])
  func broken(json: String) throws {
    let reference = try telesign.start()

    for _ in 1...4 {
      #expect(
        try telesign.send(.patch, "/verification/\(reference)/state", json: json).statusAndCode()
          == "400 3110")
    }
    #expect(try telesign.finalize(reference).statusAndCode() == "200 3900")
  }

  @Test("unknown fields in the query of a retrieval are ignored", .contract("telesign.md 3.3"))
  func junk() throws {
    let reference = try telesign.start()

    #expect(
      try telesign.get("/verification/\(reference)?headers=Content-Type&headers=Accept").answer.hasPrefix(
        "200"))
    #expect(try telesign.get("/verification/\(reference)?").answer.hasPrefix("200"))
  }
}
