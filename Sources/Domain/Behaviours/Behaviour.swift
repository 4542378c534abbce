/// One way in which a message or call can fare. Each stands in a file of its own.
package protocol Behaviour: SendableMetatype {
  /// The outcome's word in scenarios. Source: `carrier.md` 4.3.
  static var name: String { get }
  /// Every word that means this behaviour: several, where a scenario says more than the name.
  static var words: [String] { get }
  /// What can fare so.
  static var channels: Set<Channel> { get }
  /// What becomes of a message that fares so.
  static func plan(_ scenario: Scenario) -> DeliveryPlan
}

extension Behaviour {
  /// The name alone.
  package static var words: [String] { [name] }
}

/// What the carrier has decided for a message.
package struct DeliveryPlan: Equatable, Sendable {
  /// When the handset shows it, counted from its submission; nil: never.
  package let arrivesAfter: Duration?
  /// The receipts that the provider gets.
  package let receipts: DeliveryReceipts
  /// How often the handset shows it.
  package var copies = 1
  /// What comes of it as a call.
  package var call: CallPlan?

  /// A decision.
  package init(arrivesAfter: Duration?, receipts: [DeliveryReceipt]) {
    self.arrivesAfter = arrivesAfter
    self.receipts = DeliveryReceipts(receipts)
  }

  /// A message that ends here, with this receipt, and never shows.
  init(ending state: DeliveryReceipt.State, after: Duration, error: Int = 0) {
    self.init(arrivesAfter: nil, receipts: [DeliveryReceipt(state, after: after, error: error)])
  }
}

extension Set<Channel> {
  /// Channels that leave a message on a screen.
  static let written: Self = apps.union([.sms, .email, .push])
  /// Channels that reach an app on the handset by its data connection.
  package static let apps: Self = [.whatsapp, .rcs, .viber, .telegram, .zalo]
  /// Channels that need the handset's data connection.
  package static let data: Self = apps.union([.push])
}
