/// The message arrives and is read.
package enum Read: Behaviour {
  /// The outcome's word.
  package static let name = "read"
  /// Channels that tell when a message is read.
  package static let channels: Set<Channel> = .apps

  /// As a delivery; read after the scenario's time, or 2 s.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    let end = scenario.after ?? .seconds(2)
    return DeliveryPlan(
      arrivesAfter: .zero,
      receipts: [
        DeliveryReceipt(.enroute, after: min(end, .milliseconds(50))),
        DeliveryReceipt(.delivered, after: min(end, .milliseconds(200))), DeliveryReceipt(.read, after: end),
      ])
  }
}
