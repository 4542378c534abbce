/// The number does not have the channel.
package enum NotCapable: Behaviour {
  /// The outcome's word.
  package static let name = "notCapable"
  /// Channels that a number may be without.
  package static let channels: Set<Channel> = .apps

  /// Refused after 300 ms with error 021, facility not supported.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(
      ending: .rejected, after: scenario.after ?? .milliseconds(300), error: scenario.error ?? 21)
  }
}
