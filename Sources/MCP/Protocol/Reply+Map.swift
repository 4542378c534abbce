import HTTP
import JSON

extension Reply {
  /// The same reply with another response.
  func map(_ transform: @escaping (Response) -> Response) -> Reply {
    switch self {
    case .now(let response): .now(transform(response))
    case .after(let delay, let response): .after(delay, transform(response))
    case .streamed(let response, let body): .now(transform(response.with(body)))
    case .pending(let pending):
      .pending(
        PendingReply(for: pending.timeout) {
          try pending.answer().map(transform)
        } onTimeout: {
          transform(try pending.onTimeout())
        })
    case .blocked(let blocked):
      .blocked(
        BlockedRequest(for: blocked.timeout) {
          blocked.reply()?.map(transform)
        } onTimeout: {
          transform(blocked.onTimeout())
        })
    case .webSocket(let response, _): .now(transform(response))
    }
  }

  /// The answers to the messages of a batch, as soon as all are there.
  init(batch replies: [Reply]) {
    let batch = Batch(replies)
    self =
      batch.response.map { .now($0) }
      ?? .pending(
        PendingReply(for: batch.timeout) {
          try batch.poll()
        } onTimeout: {
          try batch.end()
        })
  }
}

/// A class because the answers come one by one.
private final class Batch {
  private var replies: [Reply]

  init(_ replies: [Reply]) { self.replies = replies }

  /// Nil until all answers are there.
  var response: Response? {
    var bodies: [[UInt8]] = []
    for case .now(let response) in replies { bodies.append(response.body) }
    guard bodies.count == replies.count else { return nil }
    return .json(200, JSONWriter.array(bodies) { $0.value(encoded: $1) })
  }

  var timeout: Duration {
    replies.reduce(.zero) { longest, reply in
      switch reply {
      case .pending(let pending): max(longest, pending.timeout)
      case .blocked(let blocked): max(longest, blocked.timeout)
      case .after(let delay, _): max(longest, delay)
      case .now, .streamed, .webSocket: longest
      }
    }
  }

  func poll() throws -> Response? {
    for index in replies.indices {
      switch replies[index] {
      case .pending(let pending):
        if let response = try pending.answer() { replies[index] = .now(response) }
      case .blocked(let blocked): replies[index] = blocked.reply() ?? replies[index]
      case .now, .after, .streamed, .webSocket: break
      }
    }
    return response
  }

  func end() throws -> Response {
    for index in replies.indices {
      switch replies[index] {
      case .pending(let pending): replies[index] = .now(try pending.onTimeout())
      case .blocked(let blocked): replies[index] = .now(blocked.onTimeout())
      case .after(_, let response), .streamed(let response, _), .webSocket(let response, _):
        replies[index] = .now(response)
      case .now: break
      }
    }
    return response ?? Response(202)
  }
}

extension Response {
  /// The same with a body that was to be produced while the client reads.
  fileprivate func with(_ pieces: BodyPieces) -> Response {
    guard let bytes = try? pieces.collect() else { return Response(500) }
    var whole = self
    whole.body = bytes
    return whole
  }
}
