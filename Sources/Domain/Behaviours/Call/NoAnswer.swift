/// Nobody answers the call.
package enum NoAnswer: Behaviour {
  /// The outcome's word.
  package static let name = "noAnswer"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Over after 300 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.noAnswer, scenario) }
}
