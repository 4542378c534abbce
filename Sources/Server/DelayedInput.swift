import Loop

/// Pipelined requests and bodies in pieces share the event loop: each connection answers or produces some per
/// turn, and the rest waits for its next turn. So no client can delay the others.
extension Server {
  /// How long the connections that waited for their turn may take per turn, in milliseconds.
  private static let turnShare: Int64 = 10

  /// Lets the connection continue in its next turn.
  func delay(_ connection: ClientConnection) {
    delayedConnections.append(connection)
    continueDelayedNextTurn()
  }

  /// True if this turn has taken so long that further pipelined requests and pieces must wait.
  package var isTurnLong: Bool {
    EventLoop.monotonicMilliseconds() > Int64(loop.milliseconds) + Self.turnShare
  }

  /// Continues with the delayed connections in the next turn, once however often it is called.
  func continueDelayedNextTurn() {
    guard !willContinueDelayed, !isPaused, !delayedConnections.isEmpty else { return }
    willContinueDelayed = true
    loop.runNextTurn { [weak self] in self?.continueDelayed() }
  }

  /// Continues with the connections in the order in which they began to wait. Those for which no time is left
  /// wait on.
  private func continueDelayed() {
    willContinueDelayed = false
    guard !isPaused else { return }
    var connections: [ClientConnection] = []
    swap(&connections, &delayedConnections)
    var count = 0
    repeat {
      connections[count].continueDelayed()
      count += 1
    } while count < connections.count && !isTurnLong
    delayedConnections.insert(contentsOf: connections[count...], at: 0)
    continueDelayedNextTurn()
  }
}

extension ClientConnection {
  /// Continues with buffered input in the next turn, or with reading now.
  func resumeInputNextTurn() {
    let isUnfinished = !bufferedInput.isEmpty || http2?.isUnfinished == true
    guard isUnfinished, afterFlush == .keepOpen, !isClosed else { return resumeInput() }
    guard !isDelayed, !isBlocked else { return }
    continueNextTurn()
  }

  /// Continues in the next turn: with the body that is being produced, else with buffered input.
  func continueNextTurn() {
    guard !isDelayed else { return }
    isDelayed = true
    server.delay(self)
  }

  func continueDelayed() {
    isDelayed = false
    if let http2 { return http2.continueTurn() }
    if unsentBody == nil { resumeInput() } else { continueOutput() }
  }
}
