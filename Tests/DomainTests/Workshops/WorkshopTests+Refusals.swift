import Basics
import Database
import JSON
import Numbers
import Support
import Testing
@testable import Domain

/// Why a participant does not get on.
extension WorkshopTests {
  @Test(
    "a refused request of the control API is a try, one before the sandbox too, and shows that somebody is there"
  )
  func refusedOwnRequests() throws {
    let workshop = try create(Self.request)
    try observe("code", isOwn: true, in: sandbox())
    #expect(try participant(of: workshop).activeAt == nil)

    try observe("code", 404, why: "unknown path", isOwn: true, in: sandbox())
    #expect(try participant(of: workshop).results[0].refusal?.why == "POST /code: unknown path")
    #expect(try participant(of: workshop).activeAt == TestSandbox.start)
    let path = "/control/" + String(repeating: "x", count: 500)
    try sandbox().tasks.noteRefusal("GET", path, why: "no token")
    let why = try #require(try participant(of: workshop).results[0].refusal?.why)
    #expect(why.hasPrefix("GET /control/xxx") && why.hasSuffix("x: no token") && why.count == 94)
  }

  @Test("an accepted request for another number, another channel or too early says so, and makes stuck")
  func inVain() throws {
    let workshop = try create(
      #""hint":"+12025550100","done":[{"request":{"route":"send","contains":"2025550100"}},"#
        + #"{"request":{"route":"send","contains":"call"}},{"event":{"kind":"verification.started"}},"#
        + #"{"request":{"route":"check","answerContains":"yes"}}]"#)
    func refusal() throws -> Refusal? { try participant(of: workshop).results[0].refusal }
    func inVain(_ why: String) -> Refusal { Refusal(why: why, kind: .accepted) }
    try observe("send", body: "To=%2B12025550111", in: sandbox())
    try world.sandboxes.defaultSandbox.advance(by: .seconds(240))
    try observe("send", body: "To=%2B12025550111", in: sandbox())

    #expect(try refusal() == inVain("it was for +12025550111, not for +12025550100"))
    #expect(try results(workshop) == ["started"])
    #expect(try sandbox().tasks.awaited == "send with +12025550100")
    #expect(try participant(of: workshop).stuckAt == TestSandbox.start + .seconds(300))
    try observe("send", 429, why: "too many", body: "To=%2B12025550111", in: sandbox())
    #expect(try refusal() == inVain("it was for +12025550111, not for +12025550100"))
    try observe("send", 429, why: "too many", body: "To=%2B12025550112", in: sandbox())
    #expect(try refusal() == Refusal(why: "too many"))

    try observe("send", body: "To=%2B12025550100", in: sandbox())
    #expect(try refusal() == nil)
    try observe("send", body: "To=%2B12025550100&Channel=sms", in: sandbox())
    #expect(try refusal() == inVain("the task waits for one with call"))
    try observe("send", body: "call", in: sandbox())
    try observe("check", in: sandbox())
    #expect(try refusal() == inVain("it came too early: the task waits for verification.started first"))
    try sandbox().atomically { _ = try sandbox().start("+12025550100") }
    try observe("check", body: "+12025550100", in: sandbox())
    #expect(try refusal() == nil)
    try observe("check", body: #"{"to":"+12025550111"}"#, in: sandbox())
    #expect(try refusal() == inVain("it was for +12025550111, not for +12025550100"))
  }

  @Test("refusals of other routes soon after one keep its reason, unless a limit refuses")
  func consequences() throws {
    let workshop = try create(Self.request)
    func refusal() throws -> Refusal? { try participant(of: workshop).results[0].refusal }

    try observe("send", 429, why: "too many", in: sandbox())
    try observe("code", 404, why: "no code", isOwn: true, in: sandbox())
    try observe("check", 400, why: "empty", in: sandbox())
    #expect(try refusal() == Refusal(why: "too many", kind: .beforeOthers))
    try world.sandboxes.defaultSandbox.advance(by: .seconds(60))
    try observe("check", 400, why: "empty", in: sandbox())
    #expect(try refusal() == Refusal(why: "empty"))
    try observe("send", 429, why: "too many", in: sandbox())
    #expect(try refusal() == Refusal(why: "too many"))
    try observe("send", 400, why: "no number", in: sandbox())
    #expect(try refusal() == Refusal(why: "no number"))
  }

  @Test("the reason of a failure on purpose does not replace an own mistake; what is accepted clears it")
  func reasons() throws {
    let step = #"{"request":{"route":"send","status":201}}"#
    let workshop = try create(#""done":[\#(step),\#(step)]"#)
    func refusal() throws -> Refusal? { try participant(of: workshop).results[0].refusal }

    try observe("send", 500, why: "fault 1", isOnPurpose: true, in: sandbox())
    #expect(try refusal() == Refusal(why: "fault 1", kind: .onPurpose))
    #expect(try results(workshop) == ["started"])
    try sandbox().tasks.fix()
    #expect(try refusal() == nil)
    try observe("send", 400, why: "no number", in: sandbox())
    try observe("send", 500, why: "fault 1", isOnPurpose: true, in: sandbox())
    #expect(try refusal() == Refusal(why: "no number", kind: .beforeFailure))
    #expect(try results(workshop) == ["tried"])
    try sandbox().tasks.fix()
    #expect(try refusal() == Refusal(why: "no number"))

    try observe("check", in: sandbox())
    #expect(try refusal() == nil)
    try observe("send", 400, why: "no number", in: sandbox())
    #expect(try sandbox().tasks.awaited == "send, answered with 201")

    try observe("send", 201, in: sandbox())
    #expect(try refusal() == nil)
    #expect(try results(workshop) == ["started"])
  }
}
