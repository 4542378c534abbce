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
  /// The time limit of an answer.
  package var timeout = Duration.seconds(10)

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

  /// A single attempt, with the same acknowledgements and timeout.
  package var withoutRepetition: RetrySchedule {
    var single = RetrySchedule.never
    (single.acknowledgements, single.refusals, single.timeout) = (acknowledgements, refusals, timeout)
    return single
  }

  /// True if the result of an attempt acknowledges the webhook.
  package func isAcknowledged(by result: WebhookAttempt.Result) -> Bool {
    result.status.map(acknowledgements.contains) ?? false
  }

  /// The time of the next attempt after `tries` attempts of the schedule; nil: no more attempts.
  package func next(after tries: Int, at time: Timestamp, first: Timestamp) -> Timestamp? {
    guard let last = pauses.last, tries > 0 else { return nil }
    guard let span else { return tries <= pauses.count ? time + pauses[tries - 1] : nil }
    let next = time + (tries <= pauses.count ? pauses[tries - 1] : last)
    return next - first <= span ? next : nil
  }
}
