/// What a handler returns: an answer, or an answer that waits, as data.
package enum Reply {
  /// Sent at the end of this tick.
  case now(Response)
  /// Sent after this much time of the sandbox's clock.
  case after(Duration, Response)
  /// Sent as soon as there is something to tell.
  case follow(Follow)
}

/// An answer that waits for something to happen: a long poll.
package struct Follow {
  /// How long the client is kept waiting at most, in real time.
  package let patience: Duration
  /// After how much of the sandbox's time the answer is there, where that is known from the start.
  package var delay: Duration?
  /// The answer, once there is one; asked again whenever something may have changed.
  package let answer: () throws -> Response?
  /// The answer when patience ends first.
  package let otherwise: () throws -> Response

  /// A long poll.
  package init(
    for patience: Duration, answer: @escaping () throws -> Response?,
    otherwise: @escaping () throws -> Response
  ) {
    self.patience = patience
    self.answer = answer
    self.otherwise = otherwise
  }
}
