/// The receipt is there before the carrier has answered the submission.
package enum ReceiptFirst: Behaviour {
  /// The outcome's word.
  package static let name = "receiptFirst"
  /// Messages.
  package static let channels: Set<Channel> = .written

  /// On the handset and acknowledged at the moment of its submission.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(arrivesAfter: .zero, receipts: [DeliveryReceipt(.delivered, after: .zero)])
  }
}
