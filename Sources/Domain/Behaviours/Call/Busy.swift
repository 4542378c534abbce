/// The line is busy.
package enum Busy: Behaviour {
  /// The outcome's word.
  package static let name = "busy"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Over after 300 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.busy, scenario) }
}
