/// The handset is off for as long as the message is valid: it never comes.
package enum Absent: Behaviour {
  /// The outcome's word.
  package static let name = "absent"
  /// Messages.
  package static let channels: Set<Channel> = .written
  /// How long the carrier keeps trying. Source: `carrier.md` 7, C3.
  package static let validity = Duration.seconds(300)

  /// Never on the handset; given up when its validity ends, with error 060.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    let end = scenario.after ?? validity
    return DeliveryPlan(
      arrivesAfter: nil,
      receipts: [
        DeliveryReceipt(.enroute, after: min(end, .milliseconds(50))),
        DeliveryReceipt(.expired, after: end, error: scenario.error ?? 60),
      ])
  }
}
