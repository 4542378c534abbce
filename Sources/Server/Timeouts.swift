import HTTP
import Loop

extension Server {
  /// Ends all connections that are too slow. Called every `timeoutInterval` while there are connections.
  func enforceTimeouts() {
    for connection in connections { connection.enforceTimeouts() }
    reportRefused()
  }

  /// A quarter of the shortest timeout, so that no timeout is late by more than that.
  var timeoutInterval: Duration {
    let shortest = min(
      configuration.headTimeout, configuration.bodyTimeout, configuration.idleTimeout,
      configuration.writeTimeout, configuration.lingerTimeout, configuration.connectTimeout,
      configuration.tunnelTimeout, configuration.halfClosedTimeout,
      configuration.pingInterval)
    return min(.seconds(1), max(.milliseconds(2), shortest / 4))
  }
}

extension ClientConnection {
  /// Ends the connection if its client is too slow.
  func enforceTimeouts() {
    let now = server.loop.milliseconds
    let configuration = server.configuration
    guard !isClosed else { return }
    if let tunnel { return tunnel.enforceTimeouts() }
    guard !abortIfWriteStalled(now) else { return }
    if server.isDraining { closeIfIdle() }
    guard !stream.isClosing else { return }
    let age = Duration.milliseconds(Int64(now - stageStart))
    switch stage {
    case .tlsHandshake where age > configuration.headTimeout: stream.close()
    case .idle, .tunnelOpened:
      if age > configuration.idleTimeout, !hasUnsentBytes { close() }
    // Whether the client still waits is unknown: it may also have gone.
    case .responding where inputEnded && age > configuration.halfClosedTimeout: close()
    case .head where age > configuration.headTimeout && afterFlush == .keepOpen:
      reject(.requestTimeout)
    case .body where age > bodyTimeout && afterFlush == .keepOpen:
      reject(.requestTimeout)
    case .http2: http2?.enforceTimeouts()
    case .webSocket: socket?.enforceTimeouts(now)
    case .lingering where age > configuration.lingerTimeout: stream.close()
    default: break
    }
  }

  /// Resets the connection if its client accepts no bytes. Returns true in that case.
  private func abortIfWriteStalled(_ now: UInt64) -> Bool {
    let queued = stream.queuedBytes
    guard queued > 0 else { return false }
    if queued < lastQueuedBytes { lastWriteProgress = now }
    lastQueuedBytes = queued
    guard Duration.milliseconds(Int64(now - lastWriteProgress)) > server.configuration.writeTimeout else {
      return false
    }
    abortSlowReader("read nothing for \(server.configuration.writeTimeout)")
    return true
  }

  private var bodyTimeout: Duration {
    server.configuration.bodyTimeout + server.configuration.bodyRateAllowance(for: parser.bodyBytes)
  }
}

extension Server.Configuration {
  /// Extra time for the bytes of a body that already arrived.
  func bodyRateAllowance(for bytes: Int) -> Duration {
    .milliseconds(Int64(bytes) * 1000 / Int64(max(1, bodyRate)))
  }
}
