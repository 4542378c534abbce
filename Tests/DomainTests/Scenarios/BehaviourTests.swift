import Domain
import Testing

@Suite("Domain · behaviours")
struct BehaviourTests {
  @Test("each behaviour has its own word")
  func words() {
    #expect(
      Outcomes.words == [
        "absent", "answer", "answerHangup", "busy", "decline", "deliver", "duplicate", "fail", "filtered",
        "lostButDelivrd", "memoryFull", "noAnswer", "noReceipt", "notCapable", "read", "receiptFirst",
        "reject",
        "slow", "submitFail:systemError", "submitFail:invalidDestination", "submitFail:queueFull",
        "submitFail:refused", "submitFail:throttled", "submitFail:deliveryFailure", "undeliverable",
        "unreachable", "voicemail", "match", "mismatch", "notMobile", "noCoverage", "carrierError", "timeout",
        "garbage", "loop", "userDenied",
      ])
  }

  @Test("a delivered message is there at once and acknowledged after 200 ms")
  func delivered() {
    #expect(
      Delivered.plan(Scenario())
        == plan(
          .zero, .init(.enroute, after: .milliseconds(50)), .init(.delivered, after: .milliseconds(200))))
  }

  @Test("an absent handset gets nothing, and the carrier gives up after five minutes with error 60")
  func absent() {
    #expect(
      Absent.plan(Scenario())
        == plan(
          nil, .init(.enroute, after: .milliseconds(50)), .init(.expired, after: .seconds(300), error: 60)))
  }

  @Test("an absent handset's time and error are the scenario's")
  func absentScenario() {
    #expect(
      Absent.plan(scenario(.seconds(9), 27))
        == plan(
          nil, .init(.enroute, after: .milliseconds(50)), .init(.expired, after: .seconds(9), error: 27)))
  }

  @Test("an undeliverable message is reported after 500 ms with error 1")
  func undeliverable() {
    #expect(
      Undeliverable.plan(Scenario()) == plan(nil, .init(.undeliverable, after: .milliseconds(500), error: 1)))
  }

  @Test("an undeliverable message's time and error are the scenario's")
  func undeliverableScenario() {
    #expect(
      Undeliverable.plan(scenario(.seconds(9), 5))
        == plan(nil, .init(.undeliverable, after: .seconds(9), error: 5)))
  }

  @Test("a message without receipt is there at once, or at the scenario's time")
  func noReceipt() {
    #expect(NoReceipt.plan(Scenario()) == plan(.zero))
    #expect(NoReceipt.plan(scenario(.seconds(9), nil)) == plan(.seconds(9)))
  }

  @Test("a slow message is there and acknowledged after 20 seconds, or after the scenario's time")
  func slow() {
    #expect(
      Slow.plan(Scenario())
        == plan(
          .seconds(20), .init(.enroute, after: .milliseconds(50)), .init(.delivered, after: .seconds(20))))
    #expect(
      Slow.plan(scenario(.milliseconds(10), nil))
        == plan(
          .milliseconds(10), .init(.enroute, after: .milliseconds(10)),
          .init(.delivered, after: .milliseconds(10))))
  }

  @Test(
    "no behaviour reports anything out of order",
    arguments: [nil, .zero, .milliseconds(1), .seconds(900)] as [Duration?])
  func order(after: Duration?) {
    for behaviour in Outcomes.behaviours {
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
