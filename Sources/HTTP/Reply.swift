/// What a handler returns: a response, or a description of one that comes later.
package enum Reply {
  /// Sent at the end of this tick.
  case now(Response)
  /// Sent from the end of this tick on, with this body instead of that of the response.
  case streamed(Response, BodyPieces)
  /// Sent after this delay in real time, or as soon as the sandbox's clock has passed it.
  case after(Duration, Response)
  /// Sent as soon as it is available.
  case pending(PendingReply)
  /// The request is handled again as soon as it can be.
  case blocked(BlockedRequest)
  /// A response of status 101, and the WebSocket that it opens. Indirect, so that other replies stay small.
  indirect case webSocket(Response, WebSocket)
}

extension Reply {
  /// The whole response, without a wait; nil for one that comes later than after a known delay.
  package var whole: Response? {
    get throws {
      switch self {
      case .now(let response), .after(_, let response), .webSocket(let response, _): return response
      case .streamed(var response, let body):
        response.body = try body.collect()
        return response
      case .pending, .blocked: return nil
      }
    }
  }
}

/// A long poll: a response that is not available yet.
package struct PendingReply {
  /// The maximum wait, in real time.
  package let timeout: Duration
  /// Set if the response is known already and only its sending is delayed.
  package var delay: Duration?
  /// Returns what to send, or nil if the client must keep waiting. Called again after every change. It may be
  /// another long poll.
  package let reply: () throws -> Reply?
  /// Returns the response to send after the timeout.
  package let onTimeout: () throws -> Response

  package init(
    for timeout: Duration, answer: @escaping () throws -> Response?,
    onTimeout: @escaping () throws -> Response
  ) {
    self.init(within: timeout, reply: { try answer().map { .now($0) } }, onTimeout: onTimeout)
  }

  /// The same for an answer that may come in pieces.
  package init(
    within timeout: Duration, reply: @escaping () throws -> Reply?, onTimeout: @escaping () throws -> Response
  ) {
    self.timeout = timeout
    self.reply = reply
    self.onTimeout = onTimeout
  }

  /// The whole response, or nil if the client must keep waiting.
  package func answer() throws -> Response? { try reply()?.whole }
}

/// A request that cannot be handled yet.
package struct BlockedRequest {
  /// The maximum wait, in real time.
  package let timeout: Duration
  /// Handles the request; nil if the client must keep waiting. Called again after every change.
  package let reply: () -> Reply?
  /// Returns the response to send after the timeout.
  package let onTimeout: () -> Response

  package init(
    for timeout: Duration, reply: @escaping () -> Reply?, onTimeout: @escaping () -> Response
  ) {
    self.timeout = timeout
    self.reply = reply
    self.onTimeout = onTimeout
  }

  /// The whole response, or nil if the client must keep waiting.
  package func answer() throws -> Response? { try reply()?.whole }
}
