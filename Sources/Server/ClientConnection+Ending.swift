import HTTP
import Loop

extension ClientConnection {
  func markDirty() {
    guard !isDirty else { return }
    isDirty = true
    server.tick.dirty.append(self)
  }

  /// Writes this tick's answers at once, then ends if they were the last.
  func flush() {
    isDirty = false
    guard !isClosed else { return }
    switch due {
    case .nothing: break
    case .continuation: output.append(contentsOf: ResponseEncoder.continuation)
    case .establishment: output.append(contentsOf: ResponseEncoder.establishment)
    }
    due = .nothing
    if let parting {
      ResponseEncoder.append(parting, for: .init(persists: false), to: &output)
      self.parting = nil
    }
    let written = output
    output = []
    do {
      try send(written)
    } catch {
      pending = []
      return stream.close()
    }
    server.tick.give(back: written)
    afterWriting()
  }

  private func afterWriting() {
    let queued = stream.queuedBytes
    switch ending {
    case .reset: stream.abort()
    case .close where queued == 0: finish()
    case .none, .close: break
    }
    guard queued > 0 else { return }
    if queuedBefore == 0 { queueMoved = server.loop.milliseconds }
    queuedBefore = queued
    if queued > server.configuration.writeQueueLimit { stream.pauseReading() }
  }

  /// Closes; while the client may still be sending, only our half, or its system would throw the answer away.
  func finish() {
    guard hasUnreadInput, !inputEnded else { return hangUp() }
    guard stage != .lingering else { return }
    endSession()
    stream.halfClose()
    enter(.lingering)
    do throws(LoopError) { try stream.resumeReading() } catch { stream.close() }
  }

  /// Ends at once what the client leaves hanging for too long.
  func checkTime() {
    let now = server.loop.milliseconds
    let configuration = server.configuration
    guard !isClosed else { return }
    if let tunnel { return tunnel.checkTime() }
    guard !checkQueue(now) else { return }
    let age = Duration.milliseconds(Int64(now - stageBegan))
    switch stage {
    case .handshake where age > configuration.headTimeout: stream.close()
    case .idle, .threshold:
      if age > configuration.idleTimeout, stream.queuedBytes == 0 { hangUp() }
    case .head where age > configuration.headTimeout && ending == .none: refuse(.requestTimeout)
    case .body where age > configuration.bodyTimeout + bodyGrant && ending == .none: refuse(.requestTimeout)
    case .lingering where age > configuration.lingerTimeout: stream.close()
    default: break
    }
  }

  /// Whether the connection was ended because its client takes no bytes.
  private func checkQueue(_ now: UInt64) -> Bool {
    let queued = stream.queuedBytes
    guard queued > 0 else { return false }
    if queued < queuedBefore { queueMoved = now }
    queuedBefore = queued
    guard Duration.milliseconds(Int64(now - queueMoved)) > server.configuration.writeTimeout else {
      return false
    }
    stream.abort()
    return true
  }

  private var bodyGrant: Duration {
    .milliseconds(Int64(parser.bodyBytes) * 1000 / Int64(max(1, server.configuration.bodyRate)))
  }

  /// Ends what is idle; the rest ends with its next answer.
  func drain() {
    if let tunnel { return tunnel.end() }
    guard [.idle, .handshake, .threshold].contains(stage), ending == .none else { return }
    if isDirty || stream.queuedBytes > 0 { ending = .close } else { hangUp() }
  }

  /// Ends without ceremony.
  func abort() { stream.abort() }
}

extension Response {
  /// The answer to a client that is too slow.
  fileprivate static let requestTimeout = Response.text(408, "The request did not arrive in time.\n")
}
