import HTTP
import Loop

// MARK: Writing and closing

extension ClientConnection {
  func scheduleFlush() {
    guard !isScheduledForFlush else { return }
    isScheduledForFlush = true
    server.batch.connectionsToFlush.append(self)
  }

  /// Writes this tick's responses with one call, except for large bodies.
  func flush() {
    isScheduledForFlush = false
    requestsInTurn = 0
    guard !isClosed else { return }
    switch pendingInterim {
    case .none: break
    case .continue: output.append(contentsOf: ResponseEncoder.continueResponse)
    case .tunnelEstablished: output.append(contentsOf: ResponseEncoder.tunnelResponse)
    }
    pendingInterim = .none
    if let finalResponse {
      ResponseEncoder.append(finalResponse, for: .init(keepAlive: false), to: &output)
      self.finalResponse = nil
    }
    if let http2 { http2.appendOutput(to: &output) }
    let written = output
    output = []
    do {
      try send(written)
      if unsentBody != nil { try sendUnsentBody() }
      try http2?.sendRest()
    } catch {
      bufferedInput = []
      return stream.close()
    }
    server.batch.recycle(written)
    finishFlush()
  }

  private func finishFlush() {
    let queued = stream.queuedBytes
    switch afterFlush {
    case .reset: stream.abort()
    case .close where !hasUnsentBytes: closeAfterInput()
    case .keepOpen, .close: break
    }
    guard queued > 0 || unsentBytes > 0 || http2 != nil, !stream.isClosing else { return }
    if lastQueuedBytes == 0, http2 == nil { lastWriteProgress = server.loop.milliseconds }
    lastQueuedBytes = queued
    countUnsentBytes()
    if queued > server.configuration.writeQueueLimit { stream.pauseReading() }
  }

  /// Closes the connection. If the client may still be sending, only our side closes first. Otherwise the
  /// client's system would discard the response.
  func closeAfterInput() {
    guard hasIgnoredInput, !inputEnded else { return close() }
    guard stage != .lingering else { return }
    sendCloseNotify()
    stream.halfClose()
    enter(.lingering)
    do throws(LoopError) { try stream.resumeReading() } catch { stream.close() }
  }

  /// Closes idle connections, others after their next response.
  func drain() {
    if let tunnel { return tunnel.end() }
    if let socket { return socket.close(.goingAway) }
    if let http2, stage == .http2 { return http2.shutDown() }
    closeIfIdle()
  }

  /// Also called again during a drain.
  func closeIfIdle() {
    guard [.idle, .tlsHandshake, .tunnelOpened].contains(stage), afterFlush == .keepOpen else { return }
    let age = Duration.milliseconds(Int64(server.loop.milliseconds - stageStart))
    if isScheduledForFlush || hasUnsentBytes {
      afterFlush = .close
    } else if age >= server.drainGrace {
      close()
    }
    finishLiveBody()
  }

  /// Resets the connection.
  func abort() { stream.abort() }
}
