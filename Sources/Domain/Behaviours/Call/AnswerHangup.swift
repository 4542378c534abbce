/// The person answers and hangs up before the code is read.
package enum AnswerHangup: Behaviour {
  /// The outcome's word.
  package static let name = "answerHangup"
  /// Calls.
  package static let channels: Set<Channel> = [.call]

  /// Answered after 300 ms; the code is never heard.
  package static func plan(_ scenario: Scenario) -> DeliveryPlan { .call(.hungUp, scenario) }
}
