/// When a webhook that nobody acknowledged is sent again, and what an acknowledgement is.
package struct RetrySchedule: Equatable, Sendable {
  /// The pause before the second attempt, the third and so on.
  package let pauses: [Duration]
  /// How long after the first attempt the last one may be: the last pause is repeated until then. Nil: there
  /// is one attempt after each pause.
  package let span: Duration?
  /// The statuses that say that the receiver took it.
  package var acknowledgements = 200...299
  /// How long an answer is waited for.
  package var timeout = Duration.seconds(10)

  /// One attempt and no more.
  package static let never = RetrySchedule(pauses: [])

  /// One attempt after each of these pauses.
  package init(pauses: [Duration]) {
    self.pauses = pauses
    span = nil
  }

  /// These pauses, the last one again and again until the span ends.
  package init(pauses: [Duration], span: Duration) {
    self.pauses = pauses
    self.span = span
  }

  /// Pauses that double until they are the longest, for as long as the span lasts.
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

  /// Whether what came of an attempt says that the receiver took it.
  package func isAcknowledged(by result: WebhookAttempt.Result) -> Bool {
    result.status.map(acknowledgements.contains) ?? false
  }

  /// The time of the next attempt after so many of the schedule; nil when it is given up.
  package func next(after tries: Int, at time: Timestamp, first: Timestamp) -> Timestamp? {
    guard let last = pauses.last, tries > 0 else { return nil }
    guard let span else { return tries <= pauses.count ? time + pauses[tries - 1] : nil }
    let next = time + (tries <= pauses.count ? pauses[tries - 1] : last)
    return next - first <= span ? next : nil
  }
}
