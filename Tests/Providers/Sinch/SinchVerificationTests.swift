import Domain
import HTTP
import Support
import Testing

/// What requests do not show; the other behaviours are in `Checks`.
@Suite("Sinch · codes", .contract("sinch-verification.md 3, 4, 8"))
struct SinchVerificationTests {
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  @Test(
    "S18: a code has the characters of its type",
    arguments: [("Numeric", "[0-9]{4}"), ("Alpha", "[A-Z]{4}"), ("Alphanumeric", "[A-Z0-9]{4}")])
  func codeType(type: String, pattern: String) throws {
    _ = try sinch.started("sms", SinchWorld.number, #","smsOptions":{"codeType":"\#(type)"}"#)

    #expect(try sinch.code().wholeMatch(of: Regex(pattern)) != nil)
  }

  @Test("a flash call is refused when all caller numbers have pending calls")
  func allCallers() throws {
    for index in 0..<400 { _ = try sinch.started("flashcall", "+1202555\(2000 + index)") }

    #expect(try sinch.start("flashcall").sinchError() == "429 42900")
    try sinch.advance(121)
    #expect(try sinch.started("flashcall").cliFilter != nil)
  }

  @Test("S29: a phone call reads out the code")
  func callout() throws {
    _ = try sinch.started("callout")
    let call = try #require(try sinch.sandbox.calls.find(sinch.inbox()[0].ordinal))

    let digits = try sinch.code().map { String($0) }.joined(separator: ", ")
    #expect(call.transcript(by: .seconds(60)).contains { $0.text.contains(digits) })
  }

  @Test(
    "a gateway that gives up after a while, or redirects for ever, fails a seamless verification",
    arguments: ["42", "44"])
  func gateway(ending: String) throws {
    let started = try SinchStarted(sinch.start("seamless", "+120255501\(ending)"))
    var next = started.targetURI
    for _ in 0..<6 {
      guard let url = next else { break }
      next = try sinch.get(url.replacing(#/^https?:\/\/[^\/]+/#, with: ""), as: [:]).headers["Location"]
    }

    try sinch.advance(121)
    #expect(try sinch.outcome(started.id) == "ERROR Network error or number unreachable")
  }

  @Test("S48: two sandboxes with the same seed have the same ids, codes and callers")
  func sameSeed() throws {
    let runs = try (0..<2).map { _ in
      let sinch = try SinchWorld()
      let sms = try sinch.started()
      let code = try sinch.code()
      let call = try sinch.started("flashcall")
      return [sms.id, code, call.id, call.cliFilter, try sinch.inbox().last?.sender]
    }
    #expect(runs[0] == runs[1])
  }
}
