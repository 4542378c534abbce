/// A machine answers the call.
package enum Voicemail: Behaviour {
  /// The outcome's word.
  package static let name = "voicemail"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Answered after 300 ms; a machine presses no key.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.voicemail, scenario) }
}
