import Domain
import JSON
import Support
import Testing

@Suite("Domain · behaviours")
struct BehaviourTests {
  @Test("each behaviour has its own name")
  func words() {
    #expect(
      Outcomes.names == [
        "absent", "answer", "answerHangup", "busy", "decline", "deliver", "duplicate", "fail", "filtered",
        "garbled", "lostButDelivrd", "memoryFull", "networkDown", "noAnswer", "noReceipt", "notCapable",
        "oldCode", "outOfOrder", "read", "receiptFirst", "reject", "segmentLost", "shownExpired", "slow",
        "submitFail:systemError", "submitFail:invalidDestination", "submitFail:queueFull",
        "submitFail:refused", "submitFail:throttled", "submitFail:deliveryFailure", "truncated",
        "undeliverable", "unreachable", "voicemail", "wrongEncoding", "match", "mismatch", "notMobile",
        "noCoverage", "carrierError", "timeout",
        "garbage", "loop", "userDenied", "expired",
      ])
  }

  @Test("a delivered message arrives at once and is acknowledged after 200 ms")
  func delivered() {
    #expect(
      Behaviour.delivered.plan(Scenario())
        == plan(
          .zero, .init(.enroute, after: .milliseconds(50)), .init(.delivered, after: .milliseconds(200))))
  }

  @Test("an absent handset gets nothing, and the message expires after five minutes with error 60")
  func absent() {
    #expect(
      Behaviour.absent.plan(Scenario())
        == plan(
          nil, .init(.enroute, after: .milliseconds(50)), .init(.expired, after: .seconds(300), error: 60)))
  }

  @Test("an absent handset's time and error are the scenario's")
  func absentScenario() {
    #expect(
      Behaviour.absent.plan(scenario(.seconds(9), 27))
        == plan(
          nil, .init(.enroute, after: .milliseconds(50)), .init(.expired, after: .seconds(9), error: 27)))
  }

  @Test("an undeliverable message is reported after 500 ms with error 1")
  func undeliverable() {
    #expect(
      Behaviour.undeliverable.plan(Scenario())
        == plan(nil, .init(.undeliverable, after: .milliseconds(500), error: 1)))
  }

  @Test("an undeliverable message's time and error are the scenario's")
  func undeliverableScenario() {
    #expect(
      Behaviour.undeliverable.plan(scenario(.seconds(9), 5))
        == plan(nil, .init(.undeliverable, after: .seconds(9), error: 5)))
  }

  @Test("a message without a receipt arrives at once, or at the scenario's time")
  func noReceipt() {
    #expect(Behaviour.noReceipt.plan(Scenario()) == plan(.zero))
    #expect(Behaviour.noReceipt.plan(scenario(.seconds(9), nil)) == plan(.seconds(9)))
  }

  @Test("a slow message arrives and is acknowledged after 20 seconds, or after the scenario's time")
  func slow() {
    #expect(
      Behaviour.slow.plan(Scenario())
        == plan(
          .seconds(20), .init(.enroute, after: .milliseconds(50)), .init(.delivered, after: .seconds(20))))
    #expect(
      Behaviour.slow.plan(scenario(.milliseconds(10), nil))
        == plan(
          .milliseconds(10), .init(.enroute, after: .milliseconds(10)),
          .init(.delivered, after: .milliseconds(10))))
  }

  @Test(
    "a failed message has its own time and error, or the scenario's",
    arguments: [
      ("memoryFull", DeliveryReceipt.State.undeliverable, 500, 40), ("reject", .rejected, 0, 13),
      ("filtered", .rejected, 100, 0), ("notCapable", .rejected, 300, 21), ("fail", .undeliverable, 500, 34),
      ("undeliverable", .undeliverable, 500, 1), ("submitFail:throttled", .refused, 0, 0x58),
      ("submitFail:systemError", .refused, 0, 0x08), ("submitFail:invalidDestination", .refused, 0, 0x0B),
      ("submitFail:queueFull", .refused, 0, 0x14), ("submitFail:refused", .refused, 0, 0x45),
      ("submitFail:deliveryFailure", .refused, 0, 0xFE),
    ])
  func failures(outcome: String, state: DeliveryReceipt.State, after: Int, error: Int) throws {
    let behaviour = try #require(Outcomes.behaviour(outcome))
    var usual = Scenario()
    usual.outcome = outcome
    var told = scenario(.seconds(9), 77)
    told.outcome = outcome

    let expected =
      state == .refused ? behaviour.plan(usual) : plan(nil, .init(state, after: .seconds(9), error: 77))
    #expect(behaviour.plan(usual) == plan(nil, .init(state, after: .milliseconds(after), error: error)))
    #expect(behaviour.plan(told) == expected)
  }

  @Test("a lost message has the receipts of a delivery, but never arrives")
  func lost() {
    #expect(
      Behaviour.lostButDelivered.plan(Scenario())
        == plan(
          nil, .init(.enroute, after: .milliseconds(50)), .init(.delivered, after: .milliseconds(200))))
  }

  @Test("a duplicate arrives twice")
  func duplicate() {
    var twice = Behaviour.delivered.plan(Scenario())
    twice.copies = 2

    #expect(Behaviour.duplicate.plan(Scenario()) == twice)
  }

  @Test("an expired push is shown after ten minutes, or at the scenario's time")
  func shownExpired() {
    let plan = Behaviour.shownExpired.plan(Scenario())

    #expect(plan.arrivesAfter == .seconds(600) && plan.ignoresExpiry)
    #expect(plan.receipts.all.last == .init(.expired, after: .seconds(600), error: 60))
    #expect(Behaviour.shownExpired.plan(scenario(.seconds(9), nil)).arrivesAfter == .seconds(9))
  }

  @Test("an early receipt arrives with the submission")
  func receiptFirst() {
    #expect(Behaviour.receiptFirst.plan(Scenario()) == plan(.zero, .init(.delivered, after: .zero)))
  }

  @Test("a message is read after two seconds, or at the scenario's time")
  func read() {
    #expect(
      Behaviour.read.plan(Scenario())
        == plan(
          .zero, .init(.enroute, after: .milliseconds(50)), .init(.delivered, after: .milliseconds(200)),
          .init(.read, after: .seconds(2))))
    #expect(
      Behaviour.read.plan(scenario(.seconds(9), nil)).receipts.all.last == .init(.read, after: .seconds(9)))
  }

  @Test(
    "a call's result is known after 300 ms, or at the scenario's time",
    arguments: [
      ("answer", CallPlan.Result.answered, true), ("answerHangup", .hungUp, true), ("busy", .busy, false),
      ("noAnswer", .noAnswer, true), ("decline", .declined, true), ("voicemail", .voicemail, true),
      ("unreachable", .unreachable, false),
    ])
  func calls(outcome: String, result: CallPlan.Result, shows: Bool) throws {
    let behaviour = try #require(Outcomes.behaviour(outcome))

    let (plan, late) = (behaviour.plan(Scenario()), behaviour.plan(scenario(.seconds(9), nil)))

    #expect(plan.call?.result == result)
    #expect(plan.arrivesAfter == (shows ? .zero : nil))
    let state = result.isTaken ? DeliveryReceipt.State.delivered : .undeliverable
    #expect(plan.receipts.all == [.init(.enroute, after: .zero), .init(state, after: .milliseconds(300))])
    #expect(late.receipts.all.last?.after == .seconds(9))
  }

  @Test(
    "a scenario's outcome can be one of its channel",
    arguments: [
      ("sms", "memoryFull"), ("call", "voicemail"), ("call", "undeliverable"), ("whatsapp", "read"),
      ("rcs", "notCapable"), ("email", "duplicate"), ("silent", "mismatch"), ("push", "slow"),
      ("call", "submitFail:throttled"),
    ])
  func possible(channel: String, outcome: String) throws {
    let document = #"{"match":{"channel":"\#(channel)"},"outcome":"\#(outcome)"}"#

    #expect(try Scenario(Fields(document)).outcome == outcome)
  }

  @Test(
    "a scenario's outcome that is impossible over its channel is an error",
    arguments: [
      ("sms", "busy"), ("sms", "read"), ("call", "deliver"), ("whatsapp", "filtered"),
      ("email", "notCapable"),
      ("silent", "deliver"), ("sms", "mismatch"),
    ])
  func impossible(channel: String, outcome: String) throws {
    let document = #"{"match":{"channel":"\#(channel)"},"outcome":"\#(outcome)"}"#

    let error = #expect(throws: FieldError.self) { try Scenario(Fields(document)) }
    #expect(error?.description.hasPrefix("$.outcome: expected one for \(channel): ") == true)
  }

  @Test(
    "receipts are in order",
    arguments: [nil, .zero, .milliseconds(1), .seconds(900)] as [Duration?])
  func order(after: Duration?) {
    for behaviour in Behaviour.all {
      let times = behaviour.plan(scenario(after, nil)).receipts.all.map(\.after)

      #expect(times == times.sorted(), "\(behaviour.name)")
    }
  }

  private func plan(_ arrival: Duration?, _ receipts: DeliveryReceipt...) -> DeliveryPlan {
    DeliveryPlan(arrivesAfter: arrival, receipts: receipts)
  }

  private func scenario(_ after: Duration?, _ error: Int?) -> Scenario {
    var scenario = Scenario()
    scenario.after = after
    scenario.error = error
    return scenario
  }
}
