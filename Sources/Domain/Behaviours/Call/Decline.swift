/// The person declines the call.
package enum Decline: Behaviour {
  /// The outcome's word.
  package static let name = "decline"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Over after 300 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.declined, scenario) }
}
