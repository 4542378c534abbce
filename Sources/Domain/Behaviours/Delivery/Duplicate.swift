/// The message arrives twice.
package enum Duplicate: Behaviour {
  /// The outcome's word.
  package static let name = "duplicate"
  /// Messages.
  package static let channels: Set<Channel> = .written

  /// Twice on the handset, acknowledged once.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    var plan = Delivered.plan(scenario)
    plan.copies = 2
    return plan
  }
}
