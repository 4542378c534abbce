import HTTP
import Loop

/// The requests of one tick. They share one commit, and no response is sent before it.
///
/// ```
/// socket callbacks: ClientConnection answers requests ─> uncommitted, connectionsToFlush
/// end of tick:      Application.commit ─> one write per connection ─> check pending replies ─> again, if any
/// ```
///
/// A commit per request would be simpler, but each commit is a write to the log. A queue with a timer would
/// delay single requests. The turn of the loop needs no timer: the busier the server, the more requests share
/// a commit. Every answer is held as a value, so that a failed commit can still replace it.
struct GroupCommit {
  /// A request whose effects are not committed, and how to encode its response.
  struct UncommittedRequest {
    let connection: ClientConnection
    let message: RequestParser.Message
    let context: ResponseEncoder.Context
  }

  /// In the order they were answered or started to wait.
  var uncommitted: [UncommittedRequest] = []
  /// Only if somebody wants to know them.
  var answers: [SentAnswer] = []
  /// WebSockets whose closures ran.
  var uncommittedSockets: [SocketConnection] = []
  /// Connections that have something to write.
  var connectionsToFlush: [ClientConnection] = []
  /// True if a commit is needed. Pending replies are checked after it.
  var hasChanges = false
  /// Output buffers for reuse.
  private var spareBuffers: [[UInt8]] = []

  private static let spareBufferLimit = 64

  /// An empty buffer, with reserved memory if possible.
  mutating func takeBuffer() -> [UInt8] { spareBuffers.popLast() ?? [] }

  /// Keeps the memory of a written buffer, up to 64 KiB.
  mutating func recycle(_ buffer: consuming [UInt8]) {
    guard spareBuffers.count < Self.spareBufferLimit, 1...65_536 ~= buffer.capacity else { return }
    buffer.removeAll(keepingCapacity: true)
    spareBuffers.append(buffer)
  }
}

extension Server {
  /// Commits and writes until nothing is left to write. Replies that waited for this commit are sent in the
  /// next round, not at the next event.
  func commitAndFlush() {
    loop.assertOnThread()
    while batch.hasChanges || !batch.connectionsToFlush.isEmpty || liveBodies.isDue {
      let hadChanges = batch.hasChanges
      batch.hasChanges = false
      if hadChanges || !batch.uncommitted.isEmpty { commit() }
      flush()
      if liveBodies.isDue { continueLiveBodies() }
      if hadChanges {
        checkPendingReplies()
        sockets.updateChanged()
        liveBodies.changed(at: loop.milliseconds)
      }
    }
  }

  private func commit() {
    if !application.commit() { replaceResponses() }
    batch.uncommitted.removeAll(keepingCapacity: true)
    if !batch.answers.isEmpty { reportAnswers() }
    if !batch.uncommittedSockets.isEmpty { endSocketUpdates() }
  }

  /// Replaces every response of this tick with an error, because the commit failed.
  private func replaceResponses() {
    for failed in batch.uncommittedSockets { failed.rollBack() }
    for failed in batch.uncommitted { failed.connection.rollBack(failed.context) }
    batch.answers.removeAll()
    for failed in batch.uncommitted {
      let response = application.errorResponse(for: .internalError, to: failed.message.request)
      failed.connection.append(response, for: failed.context)
      if onAnswer != nil {
        failed.connection.note(response, bytes: response.body.count, to: failed.message, since: nil)
      }
    }
  }

  private func flush() {
    var connections: [ClientConnection] = []
    swap(&connections, &batch.connectionsToFlush)
    for connection in connections {
      connection.flush()
      connection.resumeInputNextTurn()
    }
    if batch.connectionsToFlush.isEmpty {
      connections.removeAll(keepingCapacity: true)
      swap(&connections, &batch.connectionsToFlush)
    }
  }
}
