/// The handset cannot be reached by calls.
package enum Unreachable: Behaviour {
  /// The outcome's word.
  package static let name = "unreachable"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Over after 300 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.unreachable, scenario) }
}
