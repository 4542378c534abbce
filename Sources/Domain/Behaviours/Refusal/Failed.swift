/// The channel itself fails.
package enum Failed: Behaviour {
  /// The outcome's word.
  package static let name = "fail"
  /// Channels beside the carrier's own.
  package static let channels: Set<Channel> = .apps

  /// Never on the handset; reported after 500 ms with error 034, system failure.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(
      ending: .undeliverable, after: scenario.after ?? .milliseconds(500), error: scenario.error ?? 34)
  }
}
