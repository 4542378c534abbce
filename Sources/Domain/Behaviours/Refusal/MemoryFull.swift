/// The handset has no room for the message.
package enum MemoryFull: Behaviour {
  /// The outcome's word.
  package static let name = "memoryFull"
  /// Texts.
  package static let channels: Set<Channel> = [.sms]

  /// Never on the handset; reported after 500 ms with error 040.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan {
    DeliveryPlan(
      ending: .undeliverable, after: scenario.after ?? .milliseconds(500), error: scenario.error ?? 40)
  }
}
