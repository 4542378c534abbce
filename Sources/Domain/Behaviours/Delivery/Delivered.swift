/// The message arrives, and the handset says so.
package enum Delivered: Behaviour {
  /// The outcome's word.
  package static let name = "deliver"
  /// Messages.
  package static let channels: Set<Channel> = .written

  /// On the handset at once; on its way after 50 ms, acknowledged after 200 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { usual }

  private static let usual = DeliveryPlan(
    arrivesAfter: .zero,
    receipts: [
      DeliveryReceipt(.enroute, after: .milliseconds(50)),
      DeliveryReceipt(.delivered, after: .milliseconds(200)),
    ])
}
