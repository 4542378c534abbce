import Loop

/// Pipelined requests share the event loop: each connection answers some of them per turn, and the rest waits for its
/// next turn. So no client can delay the others by sending many requests at once.
extension Server {
  /// How long the requests that waited for their turn may take per turn, in milliseconds.
  private static let turnShare: UInt64 = 10

  /// Lets the connection continue with its buffered input in its next turn.
  func delayInput(of connection: ClientConnection) {
    delayedConnections.append(connection)
    if delayedConnections.count == 1 { continueNextTurn() }
  }

  /// True if this turn has taken so long that further pipelined requests must wait.
  var isTurnLong: Bool { loop.coarseMilliseconds > loop.milliseconds + Self.turnShare }

  private func continueNextTurn() {
    loop.runNextTurn { [weak self] in self?.continueDelayedInput() }
  }

  /// Continues with the connections in the order in which they began to wait. Those for which no time is left wait on.
  private func continueDelayedInput() {
    var connections: [ClientConnection] = []
    swap(&connections, &delayedConnections)
    var count = 0
    repeat {
      connections[count].continueDelayedInput()
      count += 1
    } while count < connections.count && !isTurnLong
    delayedConnections.insert(contentsOf: connections[count...], at: 0)
    if !delayedConnections.isEmpty { continueNextTurn() }
  }
}

extension ClientConnection {
  /// Continues with buffered input in the next turn, or with reading now.
  func resumeInputNextTurn() {
    guard !bufferedInput.isEmpty, afterFlush == .keepOpen, !isClosed else { return resumeInput() }
    guard !isDelayed, !isBlocked else { return }
    isDelayed = true
    server.delayInput(of: self)
  }

  func continueDelayedInput() {
    isDelayed = false
    resumeInput()
  }
}
