/// What a handler returns: an answer, or an answer that waits, as data.
package enum Reply {
  /// Sent at the end of this tick.
  case now(Response)
  /// Sent after this much time of the sandbox's clock.
  case after(Duration, Response)
  /// Sent as soon as there is something to tell.
  case follow(PendingReply)
}

/// An answer that waits for something to happen: a long poll.
package struct PendingReply {
  /// How long the client is kept waiting at most, in real time.
  package let timeout: Duration
  /// After how much of the sandbox's time the answer is there, where that is known from the start.
  package var delay: Duration?
  /// The answer, once there is one; asked again whenever something may have changed.
  package let answer: () throws -> Response?
  /// The answer when timeout ends first.
  package let onTimeout: () throws -> Response

  /// A long poll.
  package init(
    for timeout: Duration, answer: @escaping () throws -> Response?,
    onTimeout: @escaping () throws -> Response
  ) {
    self.timeout = timeout
    self.answer = answer
    self.onTimeout = onTimeout
  }
}
