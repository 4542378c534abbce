/// The carrier says that the message arrived, and it did not: false receipts exist.
package enum LostButDelivered: Behaviour {
  /// The outcome's word.
  package static let name = "lostButDelivrd"
  /// Messages.
  package static let channels: Set<Channel> = .written

  /// The receipts of a delivery, and nothing on the handset.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(arrivesAfter: nil, receipts: Delivered.plan(scenario).receipts.all)
  }
}
