/// The message arrives late.
package enum Slow: Behaviour {
  /// The outcome's word.
  package static let name = "slow"
  /// Messages.
  package static let channels: Set<Channel> = .written

  /// On the handset, and acknowledged, after the scenario's time, or 20 s.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    let delay = scenario.after ?? .seconds(20)
    return DeliveryPlan(
      arrivesAfter: delay,
      receipts: [
        DeliveryReceipt(.enroute, after: min(delay, .milliseconds(50))),
        DeliveryReceipt(.delivered, after: delay),
      ])
  }
}
