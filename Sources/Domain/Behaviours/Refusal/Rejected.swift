/// The carrier refuses the message: the line is barred, or its holder has stopped the sender.
package enum Rejected: Behaviour {
  /// The outcome's word.
  package static let name = "reject"
  /// All that is submitted.
  package static let channels: Set<Channel> = .written.union([.call])

  /// Refused at once with error 013.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(ending: .rejected, after: scenario.after ?? .zero, error: scenario.error ?? 13)
  }
}
