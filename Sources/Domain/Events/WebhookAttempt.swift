/// One try to hand a webhook over, and what came of it.
package struct WebhookAttempt: Equatable, Sendable {
  /// Its number among the attempts of the webhook, from 1.
  package let number: Int
  /// When it was made, on the sandbox's clock.
  package let at: Timestamp
  /// What came of it.
  package let result: Result

  /// What came of an attempt.
  package enum Result: Equatable, Sendable {
    /// The receiver answered with a status and the beginning of a body.
    case answered(status: Int, body: String)
    /// There was no answer, and why.
    case unanswered(reason: String)
    /// Nothing was sent, because it may not go there, and why.
    case refused(reason: String)

    /// The status, where there was an answer.
    package var status: Int? {
      if case .answered(let status, _) = self { status } else { nil }
    }

    /// Why there was no answer, where there was none.
    package var error: String? {
      switch self {
      case .answered: nil
      case .unanswered(let reason), .refused(let reason): reason
      }
    }

    /// The beginning of the answer's body.
    package var body: String {
      if case .answered(_, let body) = self { body } else { "" }
    }
  }

  /// An attempt from its parts.
  package init(number: Int, at: Timestamp, result: Result) {
    self.number = number
    self.at = at
    self.result = result
  }
}
