/// The carrier knows no such subscriber.
package enum Undeliverable: Behaviour {
  /// The outcome's word.
  package static let name = "undeliverable"
  /// All that is submitted.
  package static let channels: Set<Channel> = .written.union([.call])

  /// Never on the handset; reported after 500 ms with error 001 unless the scenario names another.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(
      arrivesAfter: nil,
      receipts: [
        DeliveryReceipt(
          .undeliverable, after: scenario.after ?? .milliseconds(500), error: scenario.error ?? 1)
      ])
  }
}
