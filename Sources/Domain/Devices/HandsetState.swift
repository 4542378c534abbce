package import JSON

/// What the person does with an app on a virtual handset, and the state of the handset.
package struct HandsetState: Equatable, Sendable {
  /// What keeps the person from answering.
  package enum Condition: String, CaseIterable, Sendable {
    case ready
    /// Pushes arrive, but nobody answers.
    case locked
    /// Pushes are held, and nobody answers.
    case batteryEmpty
    /// The app asks for a fingerprint or face before it signs an approval, and does not get it.
    case biometricsFailed
    /// The token is invalid. The provider does not know.
    case appDeleted
  }

  /// Nil: the number's record decides.
  package var behaviour: PushReaction?
  /// How long the person needs after the push has arrived, or after the handset became usable. Nil: no time.
  package var answerAfter: Duration?
  /// Nil: ready.
  package var condition: Condition?
  /// How many seconds the handset's clock is ahead; nil: 0.
  package var clockOffset: Int?

  package init() {}

  /// Why the app cannot send an answer; nil if it can.
  func obstacle(to answer: Challenge.Answer) -> String? {
    switch condition {
    case nil, .ready: nil
    case .locked: "the handset is locked"
    case .batteryEmpty: "the handset's battery is empty"
    case .biometricsFailed: answer == .approve ? "the app does not sign, because biometrics failed" : nil
    case .appDeleted: "the app was deleted from the handset"
    }
  }

  package static let schema = Schema<HandsetState>(
    nil, "",
    [
      .optional(
        "behaviour", \.behaviour, .word,
        "The person's automatic answer to challenges; by default that of the number's record. manual: none."),
      .optional(
        "answerAfterMs", \.answerAfter, .milliseconds,
        "How long the person needs for an automatic answer; 0 by default."),
      .optional("condition", \.condition, .word, "The state of the handset; ready by default."),
      .optional(
        "clockOffsetSeconds", \.clockOffset, .integer(-315_360_000...315_360_000),
        "How far the handset's clock is ahead of the sandbox's; for apps that sign times. 0 by default."),
    ])
}

extension Device.Draft {
  /// Changes what `input` names. Fails for what can never take effect.
  package mutating func mergeState(_ input: Fields, in sandbox: Sandbox) throws(FieldError) {
    try HandsetState.schema.merge(input, into: &handset)
    if let behaviour = handset.behaviour, behaviour.answer == nil, handset.answerAfter != nil {
      guard !input.names.contains("answerAfterMs") else {
        throw input.mismatch("answerAfterMs", expected: "nothing, because \(behaviour.rawValue) is no answer")
      }
      handset.answerAfter = nil
    }
    if handset.clockOffset == 0 { handset.clockOffset = nil }
    if handset.clockOffset != nil, sandbox.mobileSDK(of: provider)?.signsTimes != true {
      throw input.mismatch(
        "clockOffsetSeconds", expected: "nothing, because apps of \(provider) sign no times")
    }
    switch handset.condition {
    case .ready: handset.condition = nil
    case .batteryEmpty where try input.optionalBool("online") == true:
      throw input.mismatch("online", expected: "false, because the battery is empty")
    case .appDeleted where tokenState != nil && tokenState != .unregistered && input.names.contains("state"):
      throw input.mismatch("state", expected: "unregistered, because the app is deleted")
    default: break
    }
  }
}
