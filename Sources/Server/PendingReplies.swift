import HTTP
import Loop

/// A request whose response comes later. A class, so that checking for one on every request stays cheap.
final class WaitingRequest {
  let reply: PendingReply
  let message: RequestParser.Message
  /// In the loop's milliseconds.
  let deadline: UInt64

  init(_ reply: PendingReply, to message: RequestParser.Message, deadline: UInt64) {
    self.reply = reply
    self.message = message
    self.deadline = deadline
  }
}

/// The connections that wait for a pending reply.
struct PendingReplies {
  /// Fires at the earliest deadline.
  var timer: Timer?
  /// In no particular order.
  private(set) var connections: [ClientConnection] = []
  private var armedFor = UInt64.max

  mutating func add(_ connection: ClientConnection, until deadline: UInt64, now: UInt64) {
    connection.waitingIndex = connections.count
    connections.append(connection)
    arm(for: deadline, now: now)
  }

  /// Does nothing if the connection is not waiting.
  mutating func remove(_ connection: ClientConnection) {
    guard let index = connection.waitingIndex else { return }
    connection.waitingIndex = nil
    let last = connections.removeLast()
    if last !== connection {
      connections[index] = last
      last.waitingIndex = index
    }
  }

  /// Sets the timer again after it fired.
  mutating func rearm(now: UInt64) {
    armedFor = .max
    if let first = connections.lazy.compactMap({ $0.waiting?.deadline }).min() { arm(for: first, now: now) }
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
    for connection in pendingReplies.connections { connection.checkPendingReply() }
    if isDraining { for connection in pendingReplies.connections { connection.timeOutPendingReply() } }
  }

  func timeOutPendingReplies() {
    let now = loop.milliseconds
    for connection in pendingReplies.connections {
      if let waiting = connection.waiting, waiting.deadline <= now { connection.timeOutPendingReply() }
    }
    pendingReplies.rearm(now: now)
  }
}

extension ClientConnection {
  func wait(for reply: PendingReply, to message: RequestParser.Message) {
    let now = server.loop.milliseconds
    let deadline = now + reply.timeout.roundedUpMilliseconds
    server.pendingReplies.add(self, until: deadline, now: now)
    let context = encodingContext(for: message)
    server.batch.uncommitted.append(.init(connection: self, message: message, context: context))
    waiting = WaitingRequest(reply, to: message, deadline: deadline)
  }

  /// Sends the pending response if it is available.
  func checkPendingReply() {
    guard let waiting else { return }
    finishWaiting { try waiting.reply.answer() }
  }

  /// Sends the response for the timeout.
  func timeOutPendingReply() {
    guard let waiting else { return }
    finishWaiting { try waiting.reply.onTimeout() }
  }

  private func finishWaiting(_ answer: () throws -> Response?) {
    guard let message = waiting?.message else { return }
    let response: Response
    do {
      guard let found = try answer() else { return }
      response = found
    } catch let error as any ResponseError {
      response = error.response
    } catch {
      response = server.application.errorResponse(for: .internalError, to: message.request)
    }
    stopWaiting()
    holdUntilCommit(response, for: message)
    enter(.idle, restart: true)
  }

  func stopWaiting() {
    waiting = nil
    server.pendingReplies.remove(self)
  }
}
