/// The message arrives, and nobody ever says so.
package enum NoReceipt: Behaviour {
  /// The outcome's word.
  package static let name = "noReceipt"
  /// Messages.
  package static let channels: Set<Channel> = .written

  /// On the handset at once, or after the scenario's time; no receipt.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(arrivesAfter: scenario.after ?? .zero, receipts: [])
  }
}
