import HTTP
import Loop

/// The WebSocket of one connection.
///
/// ```
/// request ──> 101 ──commit──> open ──close by us──> closing ──close of the client, or time──> closed
///                              └──close of the client, or its error──────────────────────────────┘
/// ```
/// Bytes in: `receive` ─> framing ─> the handler's `receive`. Bytes out: the handler's closures ─> `send` ─>
/// framing ─> the connection's output, which is written after the tick's commit like every response. A class,
/// because groups refer to it.
final class SocketConnection {
  private enum State {
    /// The opening is not committed.
    case opening
    case open
    /// Our close frame is sent, and the client's is still to come.
    case closing
  }

  let connection: ClientConnection
  let socket: WebSocket
  private let framing: WebSocketFraming
  private var state = State.opening
  /// When the last bytes arrived, or when closing began, in the loop's milliseconds.
  private var lastInput: UInt64
  private var isPinged = false
  /// When `update` must be called without a change, in the loop's milliseconds.
  private(set) var updateAt: UInt64?
  /// True if an update was skipped because the client reads too slowly.
  private var isStale = false
  /// True while the connection is listed in `server.batch.uncommittedSockets`.
  private var isUncommitted = false

  init(_ socket: WebSocket, on connection: ClientConnection) {
    self.socket = socket
    self.connection = connection
    lastInput = connection.server.loop.milliseconds
    framing = WebSocketFraming(messageLimit: connection.server.configuration.socketMessageLimit)
    framing.onMessage = { [weak self] in self?.handle($0) }
  }

  private var server: Server { connection.server }

  // MARK: From the client

  /// Handles up to about `frameLimit` frames. Returns how many bytes and frames it has read.
  func receive(_ bytes: UnsafeRawBufferPointer, frameLimit: Int) -> (bytes: Int, frames: Int) {
    if state != .closing { (lastInput, isPinged) = (server.loop.milliseconds, false) }
    let count = framing.receive(bytes, frameLimit: frameLimit)
    flush()
    if !framing.acceptsInput { finish() }
    return count
  }

  private func handle(_ message: WebSocketFraming.Message) {
    guard state != .closing else { return }
    switch message {
    case .text(let text):
      run { try socket.receive(text) }
      server.sockets.markChanged(self)
    case .binary: close(.unsupportedData)
    }
  }

  // MARK: To the client

  /// Asks the handler what to send. Returns true if that is anything.
  @discardableResult
  func update() -> Bool {
    guard state == .open else { return false }
    updateAt = nil
    guard connection.output.count + connection.stream.queuedBytes <= server.configuration.writeQueueLimit
    else {
      isStale = true
      return false
    }
    isStale = false
    let output = run(socket.update)
    if state == .open, let delay = output.updateAfter {
      let time = server.loop.milliseconds + max(1, delay.roundedUpMilliseconds)
      updateAt = time
      server.sockets.arm(for: time, now: server.loop.milliseconds)
    }
    return !output.isEmpty
  }

  /// Updates after the client has read enough.
  func resumeUpdates() {
    guard isStale else { return }
    update()
  }

  /// Starts the close handshake. Does nothing if it has started.
  func close(_ close: WebSocket.Close) {
    guard state != .closing else { return }
    state = .closing
    (lastInput, updateAt) = (server.loop.milliseconds, nil)
    framing.close(close)
    flush()
  }

  @discardableResult
  private func run(_ closure: () throws -> WebSocket.Output) -> WebSocket.Output {
    awaitCommit()
    let output: WebSocket.Output
    do { output = try closure() } catch { output = .init(close: .internalError) }
    for message in output.messages { framing.send(message) }
    flush()
    if let close = output.close { self.close(close) }
    return output
  }

  private func flush() {
    if connection.output.isEmpty { connection.output = server.batch.takeBuffer() }
    framing.appendOutput(to: &connection.output)
    connection.scheduleFlush()
  }

  /// Closes the connection after everything is written. An error of the client leaves its input unread.
  private func finish() {
    state = .closing
    connection.hasIgnoredInput = !framing.hasReceivedClose
    connection.afterFlush = .close
    connection.scheduleFlush()
  }

  // MARK: Commits and timeouts

  func awaitCommit() {
    server.batch.hasChanges = true
    guard !isUncommitted else { return }
    isUncommitted = true
    server.batch.uncommittedSockets.append(self)
  }

  /// Called after the tick's commit or rollback. An opening socket that was not rolled back is then open.
  func endTick() {
    isUncommitted = false
    guard state == .opening, connection.socket === self, !connection.isClosed else { return }
    state = .open
    server.sockets.add(self)
    if server.isDraining { close(.goingAway) }
  }

  /// Discards what the tick's closures have sent, because their effects were undone. The client must connect
  /// again.
  func rollBack() {
    guard state != .opening else { return }
    connection.output.removeAll(keepingCapacity: true)
    framing.close(.internalError)
    state = .closing
    flush()
    finish()
  }

  func enforceTimeouts(_ now: UInt64) {
    let configuration = server.configuration
    let age = Duration.milliseconds(Int64(now - lastInput))
    if state == .closing {
      if age > configuration.lingerTimeout, !connection.hasUnsentBytes { connection.close() }
    } else if age > configuration.pingInterval * 2 {
      connection.close()
    } else if age > configuration.pingInterval, !isPinged {
      isPinged = true
      framing.ping()
      flush()
    }
  }

  /// Called when the connection is closed.
  func end() { server.sockets.remove(self) }
}

extension ClientConnection {
  /// Opens a WebSocket after the tick's commit. A response that an injected fault has damaged opens none.
  func open(_ socket: WebSocket, _ response: Response, for message: consuming RequestParser.Message) {
    guard response.status == 101, response.transport == .whole else {
      return holdUntilCommit(response, for: message)
    }
    // Without `Connection: close`, even during a drain.
    let context = ResponseEncoder.Context(keepAlive: true)
    append(response, for: context)
    if server.onAnswer != nil { note(response, bytes: 0, to: message, since: nil) }
    server.batch.uncommitted.append(.init(connection: self, message: message, context: context))
    let opened = SocketConnection(socket, on: self)
    self.socket = opened
    opened.awaitCommit()
    enter(.webSocket)
  }

  /// Handles frames. Those beyond this turn's share wait for the next turn.
  func receiveFrames(_ bytes: UnsafeRawBufferPointer) {
    guard let socket else { return }
    let limit = max(1, server.configuration.requestsPerTurn - requestsInTurn)
    let read = socket.receive(bytes, frameLimit: limit)
    requestsInTurn += read.frames
    guard read.bytes < bytes.count else { return }
    if afterFlush == .keepOpen {
      bufferedInput.append(contentsOf: bytes[read.bytes...])
    } else {
      hasIgnoredInput = true
    }
  }
}
