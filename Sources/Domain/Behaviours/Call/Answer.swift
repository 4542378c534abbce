/// The person answers the call and hears the code out.
package enum Answer: Behaviour {
  /// The outcome's word.
  package static let name = "answer"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Answered after 300 ms.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.answered, scenario) }
}
