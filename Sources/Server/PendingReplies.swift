import HTTP
import Loop

/// A request whose response comes later. A class, so that checking for one on every request stays cheap.
final class WaitingRequest {
  unowned let connection: ClientConnection
  /// Returns the reply; nil while the client must wait.
  private let reply: () throws -> Reply?
  private let onTimeout: () throws -> Response
  let message: RequestParser.Message
  /// In the loop's milliseconds.
  let start, deadline: UInt64
  /// The index in `server.pendingReplies`; nil after the end of the wait.
  fileprivate var index: Int?

  init(
    _ connection: ClientConnection, to message: RequestParser.Message, start: UInt64, deadline: UInt64,
    reply: @escaping () throws -> Reply?, onTimeout: @escaping () throws -> Response
  ) {
    self.connection = connection
    self.reply = reply
    self.onTimeout = onTimeout
    self.message = message
    self.start = start
    self.deadline = deadline
  }
}

/// The requests that wait for a pending reply.
struct PendingReplies {
  /// Fires at the earliest deadline.
  var timer: Timer?
  /// In no particular order.
  private(set) var requests: [WaitingRequest] = []
  private var armedFor = UInt64.max

  mutating func add(_ request: WaitingRequest, now: UInt64) {
    request.index = requests.count
    requests.append(request)
    arm(for: request.deadline, now: now)
  }

  /// Does nothing if the request is not waiting.
  mutating func remove(_ request: WaitingRequest) {
    guard let index = request.index else { return }
    request.index = nil
    let last = requests.removeLast()
    if last !== request {
      requests[index] = last
      last.index = index
    }
  }

  /// Sets the timer again after it fired.
  mutating func rearm(now: UInt64) {
    armedFor = .max
    if let first = requests.lazy.map(\.deadline).min() { arm(for: first, now: now) }
  }

  private mutating func arm(for deadline: UInt64, now: UInt64) {
    guard deadline < armedFor else { return }
    armedFor = deadline
    timer?.arm(after: .milliseconds(deadline > now ? Int64(deadline - now) : 0))
  }
}

extension Server {
  /// Checks all pending replies after a change. During a drain, none waits any longer.
  func checkPendingReplies() {
    for request in pendingReplies.requests { request.check() }
    if isDraining { for request in pendingReplies.requests { request.timeOut() } }
  }

  func timeOutPendingReplies() {
    let now = loop.milliseconds
    for request in pendingReplies.requests where request.deadline <= now { request.timeOut() }
    pendingReplies.rearm(now: now)
  }
}

extension WaitingRequest {
  /// Sends the pending response if it is available.
  func check() { finish(reply) }

  /// Sends the response for the timeout.
  func timeOut() { finish { .now(try onTimeout()) } }

  private func finish(_ answer: () throws -> Reply?) {
    guard index != nil else { return }
    let reply: Reply
    do {
      guard let found = try answer() else { return }
      reply = found
    } catch let error as any ResponseError {
      reply = .now(error.response)
    } catch {
      reply = .now(connection.server.application.errorResponse(for: .internalError, to: message.request))
    }
    stop()
    connection.deliver(reply, to: message, since: start)
    // A request that had to wait was only handled now: see `respond`.
    if case .blocked = reply {} else { connection.server.markChanged() }
    if message.stream == 0, connection.waiting == nil { connection.enter(.idle, restart: true) }
  }

  /// Ends the wait without a response.
  func stop() {
    connection.server.pendingReplies.remove(self)
    connection.stopWaiting(self)
  }
}

extension ClientConnection {
  func wait(for reply: PendingReply, to message: RequestParser.Message) {
    wait(reply.timeout, to: message, reply: reply.reply, onTimeout: reply.onTimeout)
  }

  func wait(for blocked: BlockedRequest, to message: RequestParser.Message) {
    wait(blocked.timeout, to: message, reply: blocked.reply, onTimeout: blocked.onTimeout)
  }

  private func wait(
    _ timeout: Duration, to message: RequestParser.Message, reply: @escaping () throws -> Reply?,
    onTimeout: @escaping () throws -> Response
  ) {
    let now = server.loop.milliseconds
    let request = WaitingRequest(
      self, to: message, start: now, deadline: now + timeout.roundedUpMilliseconds, reply: reply,
      onTimeout: onTimeout)
    server.pendingReplies.add(request, now: now)
    let context = encodingContext(for: message)
    server.batch.uncommitted.append(.init(connection: self, message: message, context: context))
    if let http2 { http2.wait(request, on: message.stream) } else { waiting = request }
  }

  fileprivate func stopWaiting(_ request: WaitingRequest) {
    if let http2 { http2.stopWaiting(on: request.message.stream) } else { waiting = nil }
  }
}
