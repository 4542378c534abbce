import Domain
import HTTP
import Support
import Testing

@Suite("Sinch · calls", .contract("sinch-verification.md 3, 4, 8"))
struct SinchCallTests {
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  private func caller(_ number: String = SinchWorld.number) throws -> String {
    try #require(try sinch.inbox(number).last?.sender)
  }

  @Test("S24: the caller number of a flash call is its code")
  func flashCall() throws {
    let exchange = try sinch.start("flashcall")
    let started = try exchange.decode(SinchStarted.self)
    let caller = try caller()
    let report = try sinch.report(caller, of: started.id, "flashcall")

    exchange.matches(golden: "flashcall")
    report.matches(golden: "flashcall")
    let filter = try Regex(#require(started.cliFilter))
    #expect(caller.wholeMatch(of: filter) != nil && "+12025550100".wholeMatch(of: filter) == nil)
    #expect(started.cliFilter != caller)
    #expect(try report.sinchOutcome() == "SUCCESSFUL")
    #expect(try sinch.inbox().last?.code == caller)
  }

  @Test("a reported number may have blanks, or lack its plus")
  func spelling() throws {
    let id = try sinch.started("flashcall").id
    let digits = try caller().dropFirst()

    #expect(try sinch.report("x", of: id, "flashcall").sinchError() == "400 40003")
    #expect(
      try sinch.report("\(digits.prefix(4)) \(digits.dropFirst(4))", of: id, "flashcall").sinchOutcome()
        == "SUCCESSFUL")
  }

  @Test("S25: another number fails the verification at the last attempt")
  func wrongCaller() throws {
    try sinch.configure(#""maxAttempts":1"#)
    let id = try sinch.started("flashcall").id

    #expect(try sinch.report("+12025550100", of: id, "flashcall").sinchOutcome() == "FAIL Invalid CLI")
    #expect(try sinch.report(caller(), of: id, "flashcall").sinchOutcome() == "FAIL Invalid CLI")
  }

  @Test("S26: older spellings are accepted; answers have the newest one")
  func spellings() throws {
    let started = try sinch.started("flashCall")
    let body = #"{"method":"flashCall","flashcall":{"cli":"\#(try caller())"}}"#
    let report = try sinch.send(.put, "\(SinchWorld.base)/id/\(started.id)", body).decode(SinchReport.self)

    #expect(started.method == "flashcall" && report.method == "flashcall")
    #expect(report.outcome == "SUCCESSFUL" && report.callComplete == false)
    #expect(try sinch.started("phonecall").method == "callout")
  }

  @Test(
    "S27: timeouts have 5 to 120 seconds",
    arguments: [
      #""dialTimeout":4"#, #""dialTimeout":121"#, #""interceptionTimeout":4"#, #""interceptionTimeout":121"#,
    ])
  func timeouts(option: String) throws {
    let exchange = try sinch.start("flashcall", SinchWorld.number, #","flashCallOptions":{\#(option)}"#)

    #expect(try exchange.sinchError() == "400 40001")
    #expect(try sinch.inbox() == [])
  }

  @Test("S28: two pending flash calls never have the same caller")
  func twoCalls() throws {
    let first = try sinch.started("flashcall", "+12025550100")
    let second = try sinch.started("flashcall", "+12025550101")
    let callers = [try caller("+12025550100"), try caller("+12025550101")]

    #expect(try sinch.report(callers[1], of: first.id, "flashcall").sinchOutcome() == "FAIL Invalid CLI")
    #expect(try sinch.report(callers[0], of: second.id, "flashcall").sinchOutcome() == "FAIL Invalid CLI")
    #expect(callers[0] != callers[1])
    let more = try (2..<42).map { index in
      let number = "+1202555\(2000 + index)"
      _ = try sinch.started("flashcall", number)
      return try sinch.sandbox.messages.newestCaller(to: number)
    }
    #expect(Set(more + callers).count == 42)
  }

  @Test("a flash call is refused when all caller numbers have pending calls")
  func allCallers() throws {
    for index in 0..<400 { _ = try sinch.started("flashcall", "+1202555\(2000 + index)") }

    #expect(try sinch.start("flashcall").sinchError() == "429 42900")
    try sinch.advance(121)
    #expect(try sinch.started("flashcall").cliFilter != nil)
  }

  @Test("a flash call rings as long as the request says, and nobody answers it")
  func ringing() throws {
    let id = try sinch.started("flashcall", SinchWorld.number, #","flashCallOptions":{"dialTimeout":10}"#).id

    try sinch.advance(9)
    #expect(try sinch.status(id).callComplete == false && sinch.status(id).callResult == nil)
    try sinch.advance(1)
    #expect(try sinch.status(id).callComplete == true && sinch.status(id).callResult == "NO_ANSWER")
    #expect(try sinch.status(id).outcome == "PENDING")
    try sinch.advance(110)
    #expect(try sinch.status(id).outcome == "FAIL Expired")
  }

  @Test(
    "the carrier decides what becomes of a flash call",
    arguments: [
      ("30", "ERROR Network error or number unreachable", "FAILED", false),
      ("32", "ERROR Network error or number unreachable", "FAILED", false),
      ("35", "FAIL Expired", "BUSY", false), ("36", "FAIL Expired", "ANSWERED", false),
      ("39", "FAIL Expired", "NO_ANSWER", false), ("00", "FAIL Expired", "NO_ANSWER", true),
    ])
  func outcomes(ending: String, outcome: String, result: String, isSeen: Bool) throws {
    let number = "+120255501\(ending)"
    let id = try sinch.started("flashcall", number).id
    try sinch.advance(120)

    let status = try sinch.status(id)
    #expect((status.outcome, status.callResult) == (outcome, result))
    #expect(try (sinch.inbox(number).last?.code != nil) == isSeen)
  }

  @Test("S29: a phone call reads out the code, also to a landline")
  func callout() throws {
    let exchange = try sinch.start(
      "callout", "+12025550112", #","calloutOptions":{"speech":{"locale":"en_US"}}"#)
    let started = try exchange.decode(SinchStarted.self)
    let message = try #require(try sinch.inbox("+12025550112").last)
    let code = try #require(message.code)
    let call = try #require(try sinch.sandbox.calls.find(message.ordinal))
    let report = try sinch.report(code, of: started.id, "callout")

    exchange.matches(golden: "callout")
    report.matches(golden: "callout")
    let spoken = call.transcript(by: .seconds(60)).map(\.text)
    #expect(spoken.contains { $0.contains(code.map { String($0) }.joined(separator: ", ")) })
    #expect(try report.sinchOutcome() == "SUCCESSFUL")
  }

  @Test("46 B10: a phone call lasts as long as it is billed, and is billed when it is over")
  func calloutDuration() throws {
    let id = try sinch.started("callout").id
    func seen() throws -> String {
      let status = try sinch.status(id)
      let complete = try #require(status.callComplete as Bool?)
      return "\(complete) \(status.callResult ?? "-") \(status.billed.map { "\($0) s" } ?? "-")"
    }

    #expect(try seen() == "false - -")
    try sinch.advance(1)
    #expect(try sinch.report(sinch.code(), of: id, "callout").sinchOutcome() == "SUCCESSFUL")
    #expect(try seen() == "false ANSWERED -")
    try sinch.advance(30)
    #expect(try seen() == "false ANSWERED -")
    try sinch.advance(1)
    #expect(try seen() == "true COMPLETED 31 s")
  }

  @Test("S30: hanging up fails a phone call")
  func hungUp() throws {
    try sinch.scenario("answerHangup")
    let id = try sinch.started("callout").id
    #expect(try sinch.status(id).outcome == "PENDING")
    try sinch.advance(5)

    #expect(try sinch.status(id).outcome == "FAIL Hung up without entering valid code")
    #expect(try sinch.inbox().last?.code == nil)
  }

  @Test(
    "the carrier decides what becomes of a phone call",
    arguments: [
      ("35", "FAIL Expired", "BUSY"), ("36", "FAIL Expired", "ANSWERED"),
      ("30", "ERROR Network error or number unreachable", "FAILED"), ("00", "FAIL Expired", "COMPLETED"),
    ])
  func calloutOutcomes(ending: String, outcome: String, result: String) throws {
    let id = try sinch.started("callout", "+120255501\(ending)").id
    try sinch.advance(300)

    let status = try sinch.status(id)
    #expect((status.outcome, status.callResult, status.callComplete) == (outcome, result, true))
    #expect(status.amount == "USD")
  }

  @Test("a code of a phone call that is missing is refused")
  func noCode() throws {
    let id = try sinch.started("callout").id
    let exchange = try sinch.send(.put, "\(SinchWorld.base)/id/\(id)", #"{"method":"callout","callout":{}}"#)

    #expect(try exchange.sinchError() == "400 40002")
  }

  @Test(
    "a scenario can ask for the provider's own reasons",
    arguments: [
      ("InternalError", "ERROR Internal error"),
      ("NetworkError", "ERROR Network error or number unreachable"),
    ])
  func named(status: String, outcome: String) throws {
    let answer = try sinch.world.send(
      .json(.put, "/control/scenarios", #"{"scenarios":[{"providerStatus":{"sinch":"\#(status)"}}]}"#)
    ).answer
    #expect(answer.hasPrefix("200"))
    for method in ["sms", "flashcall", "whatsapp"] {
      let id = try sinch.started(method).id
      try sinch.advance(5)
      #expect(try sinch.status(id).outcome == outcome)
    }
  }
}

extension Messages {
  /// The caller of the newest call to a number.
  fileprivate func newestCaller(to number: String) throws -> String? {
    var filter = Filter()
    filter.destination = number
    return try inbox(filter).last?.sender
  }
}
