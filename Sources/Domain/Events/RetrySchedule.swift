package import Basics

/// When a webhook that was not acknowledged is sent again, and which answers acknowledge it.
package struct RetrySchedule: Equatable, Sendable {
  /// The pause before the second attempt, the third and so on.
  package let pauses: [Duration]
  /// The time limit of the last attempt, counted from the first: the last pause is repeated until then. Nil:
  /// there is one attempt after each pause.
  package let span: Duration?
  /// The statuses that acknowledge a webhook.
  package var acknowledgements = 200...299
  /// The statuses after which a webhook is not sent again.
  package var refusals: Set<Int> = []
  /// The failures after which a webhook is sent again.
  package var retriedFailures = Set(Failure.allCases)
  /// No attempt begins later than this after the first one; nil: no limit.
  package var limit: Duration?
  /// The time limits of an attempt.
  package var timeouts = Timeouts()

  /// Why an attempt was not acknowledged.
  package enum Failure: CaseIterable, Sendable {
    /// There was no connection.
    case unreachable
    /// There was a connection, and no answer in time.
    case unanswered
    /// A status from 400 to 499.
    case clientError
    /// A status from 500.
    case serverError
    case otherStatus
  }

  /// The time limits of an attempt.
  package struct Timeouts: Equatable, Sendable {
    /// From the look-up of the name to the end of the answer.
    package var total = Duration.seconds(10)
    /// To the end of the TLS handshake; nil: as long as the whole.
    package var connecting: Duration?
    /// Without a byte of the answer; nil: as long as the whole.
    package var silence: Duration?

    package init() {}
  }

  /// A single attempt.
  package static let never = RetrySchedule(pauses: [])

  /// One attempt after each of these pauses.
  package init(pauses: [Duration]) {
    self.pauses = pauses
    span = nil
  }

  /// These pauses; the last one is repeated until the span ends.
  package init(pauses: [Duration], span: Duration) {
    self.pauses = pauses
    self.span = span
  }

  /// Pauses that double up to the longest, until the span ends.
  package static func doubling(from first: Duration, upTo longest: Duration, for span: Duration)
    -> RetrySchedule
  {
    var pauses: [Duration] = []
    var pause = first
    while pause > .zero, pause < longest {
      pauses.append(pause)
      pause = pause * 2
    }
    return RetrySchedule(pauses: pauses + [longest], span: span)
  }

  /// A single attempt, with the same acknowledgements and time limits.
  package var withoutRepetition: RetrySchedule {
    var single = RetrySchedule.never
    (single.acknowledgements, single.refusals, single.timeouts) = (acknowledgements, refusals, timeouts)
    return single
  }

  /// True if the result of an attempt acknowledges the webhook.
  package func isAcknowledged(by result: WebhookAttempt.Result) -> Bool {
    result.status.map(acknowledgements.contains) ?? false
  }

  /// True if the webhook is sent again after this result.
  package func isRetried(_ result: WebhookAttempt.Result) -> Bool {
    switch result {
    case .answered(let answer):
      !refusals.contains(answer.status) && retriedFailures.contains(Failure(status: answer.status))
    case .unreachable: retriedFailures.contains(.unreachable)
    case .unanswered: retriedFailures.contains(.unanswered)
    case .refused: false
    }
  }

  /// The time of the next attempt after `tries` attempts of the schedule; nil: no more attempts.
  package func next(after tries: Int, at time: Timestamp, first: Timestamp) -> Timestamp? {
    guard let last = pauses.last, tries > 0 else { return nil }
    if let limit, time - first >= limit { return nil }
    guard let span else { return tries <= pauses.count ? time + pauses[tries - 1] : nil }
    let next = time + (tries <= pauses.count ? pauses[tries - 1] : last)
    return next - first <= span ? next : nil
  }
}

extension RetrySchedule.Failure {
  fileprivate init(status: Int) {
    self =
      switch status {
      case 400..<500: .clientError
      case 500...: .serverError
      default: .otherStatus
      }
  }
}
