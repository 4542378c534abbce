/// One way in which a message can fare. Each stands in a file of its own.
package protocol Behaviour: SendableMetatype {
  /// The outcome's word in scenarios. Source: `carrier.md` 4.3.
  static var name: String { get }
  /// What becomes of a message that fares so.
  static func plan(_ scenario: Scenario) -> DeliveryPlan
}

/// What the carrier has decided for a message.
package struct DeliveryPlan: Equatable, Sendable {
  /// When the handset shows it, counted from its submission; nil: never.
  package let arrivesAfter: Duration?
  /// The receipts that the provider gets.
  package let receipts: DeliveryReceipts

  /// A decision.
  package init(arrivesAfter: Duration?, receipts: [DeliveryReceipt]) {
    self.arrivesAfter = arrivesAfter
    self.receipts = DeliveryReceipts(receipts)
  }
}

/// Every behaviour there is. A new one: a file beside this one, a line in this list.
package let behaviours: [any Behaviour.Type] = [
  Absent.self,
  Delivered.self,
  NoReceipt.self,
  Slow.self,
  Undeliverable.self,
]
