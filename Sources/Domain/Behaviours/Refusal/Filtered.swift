/// The carrier's filter takes the message for spam.
package enum Filtered: Behaviour {
  /// The outcome's word.
  package static let name = "filtered"
  /// Texts.
  package static let channels: Set<Channel> = [.sms]

  /// Refused after 100 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(
      ending: .rejected, after: scenario.after ?? .milliseconds(100), error: scenario.error ?? 0)
  }
}
