import Control

/// The answers to the messages of a batch, in their order.
///
/// A class because the answers come one by one.
final class Batch {
  private var replies: [Reply] = []

  func add(_ reply: Reply) { replies.append(reply) }

  /// As soon as all answers are there. Call this after the last one was added.
  var reply: Reply {
    response.map { .now($0) }
      ?? .pending(
        PendingReply(for: timeout) {
          try self.poll()
        } onTimeout: {
          try self.end()
        })
  }

  /// Nil until all answers are there.
  private var response: Response? {
    var bodies: [[UInt8]] = []
    for case .now(let response) in replies { bodies.append(response.body) }
    guard bodies.count == replies.count else { return nil }
    return bodies.isEmpty ? Response(202) : .json(200, JSONWriter.array(bodies) { $0.value(encoded: $1) })
  }

  private var timeout: Duration {
    replies.reduce(.zero) { longest, reply in
      switch reply {
      case .pending(let pending): max(longest, pending.timeout)
      case .blocked(let blocked): max(longest, blocked.timeout)
      case .after(let delay, _): max(longest, delay)
      case .now, .streamed, .webSocket: longest
      }
    }
  }

  private func poll() throws -> Response? {
    for index in replies.indices {
      switch replies[index] {
      case .pending(let pending): replies[index] = try pending.reply() ?? replies[index]
      case .blocked(let blocked): replies[index] = blocked.reply() ?? replies[index]
      case .now, .after, .streamed, .webSocket: break
      }
    }
    return response
  }

  private func end() throws -> Response {
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
