package import HTTP
import Loop

/// An answer that leaves, for an access log.
package struct SentAnswer {
  /// What is known of the request; nil if not even its path is.
  package let request: Request?
  /// The address at the other end of the connection.
  package let peer: String
  /// `HTTP/1.1`
  package let version: String
  package let status: Status
  /// The size of the body; nil if it is sent in pieces.
  package let bytes: Int?
  /// When the request was complete, in milliseconds of the loop's clock.
  package let startedAt: UInt64
}

extension ClientConnection {
  /// Remembers an answer until its commit, if somebody wants to know. `start` is when the request was
  /// complete, if not in this turn.
  func note(
    _ response: Response, bytes: Int?, to message: borrowing RequestParser.Message, since start: UInt64?
  ) {
    server.batch.answers.append(
      SentAnswer(
        request: message.request, peer: parser.peer,
        version: message.stream == 0 ? "HTTP/1.\(message.minorVersion)" : "HTTP/2.0",
        status: response.status, bytes: bytes, startedAt: start ?? server.loop.milliseconds))
  }

  /// Reports an answer that needs no commit.
  func report(_ response: Response, after head: RequestHead?) {
    guard let onAnswer = server.onAnswer else { return }
    let request = head.map {
      Request($0.method, $0.target, headers: $0.headers, scheme: parser.scheme, peer: parser.peer)
    }
    onAnswer(
      SentAnswer(
        request: request, peer: parser.peer, version: http2 == nil ? "HTTP/1.1" : "HTTP/2.0",
        status: response.status, bytes: response.body.count, startedAt: server.loop.milliseconds))
  }
}

extension Server {
  /// Reports the answers of this tick.
  func reportAnswers() {
    for answer in batch.answers { onAnswer?(answer) }
    batch.answers.removeAll(keepingCapacity: true)
  }
}
