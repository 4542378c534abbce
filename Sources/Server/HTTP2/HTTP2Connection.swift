import HTTP
import Loop

/// The requests of a connection that speaks HTTP/2.
///
/// ```
/// receive ──> session ──nextRequest──> answerRequests ──> ClientConnection.respond
/// end of tick: commit ──> held responses ──> session ──> appendOutput
/// ```
/// Each request has a stream of its own, so a long poll delays no other. Responses are held until the commit,
/// because compressed fields cannot be taken back. A class, because the session calls it back.
final class HTTP2Connection {
  /// A response that waits for the tick's commit.
  private struct HeldResponse {
    let response: Response
    let pieces: BodyPieces?
    let context: ResponseEncoder.Context
  }

  private unowned let connection: ClientConnection
  private let session: HTTP2Session
  private var held: [HeldResponse] = []
  private var heldBytes = 0
  /// The long polls, by their streams.
  private var waiting: [Int32: WaitingRequest] = [:]
  /// True if frames wait for the next turn.
  private var hasDelayedOutput = false
  /// `session.sentBytes` when it was last checked.
  private var lastSentBytes: UInt64 = 0
  /// The oldest incomplete request, and since when it is the oldest, in the loop's milliseconds.
  private var oldest: (stream: Int32, since: UInt64)?
  /// When the client last sent anything, or the last stream ended, in the loop's milliseconds.
  private var lastActivity: UInt64

  init(_ connection: ClientConnection) {
    self.connection = connection
    var settings = HTTP2Session.Settings()
    settings.limits = connection.server.configuration.limits
    settings.streamLimit = connection.server.configuration.streamLimit
    settings.scheme = connection.parser.scheme
    settings.peer = connection.parser.peer
    settings.origin = connection.parser.origin
    settings.connection = connection.parser.connection
    session = HTTP2Session(settings)
    lastActivity = connection.server.loop.milliseconds
    session.bodyLimit = { [unowned connection] in connection.server.application.bodyLimit(for: $0) }
    session.rejection = { [unowned connection] error, head in
      let response = connection.server.application.response(to: error, after: head)
      connection.report(response, after: head)
      return response
    }
    session.isTurnLong = { [unowned connection] in connection.server.isTurnLong }
    session.onStreamEnd = { [unowned self] in endStream($0) }
  }

  private var server: Server { connection.server }
  private var now: UInt64 { connection.server.loop.milliseconds }

  // MARK: Input

  func receive(_ bytes: UnsafeRawBufferPointer) {
    lastActivity = now
    session.receive(bytes, at: now)
    updateOldest()
    answerRequests()
    if session.hasFailed { connection.hasIgnoredInput = true }
    if session.hasOutput || session.isFinished { connection.scheduleFlush() }
  }

  /// Answers complete requests, up to the connection's share of this turn.
  func answerRequests() {
    while connection.mayContinueTurn, hasRoom, !connection.isBlocked,
      let message = session.nextRequest()
    {
      connection.respond(to: message)
      connection.requestsInTurn += 1
    }
    // The flush continues in the next turn. Long polls alone write nothing that would cause one.
    if isUnfinished { connection.scheduleFlush() }
  }

  /// Continues with requests and bodies for which the turn before had no time.
  func continueTurn() {
    connection.resumeInput()
    if session.hasDelayedPieces || hasDelayedOutput { connection.scheduleFlush() }
  }

  private var hasRoom: Bool { session.unsentBytes + heldBytes <= Self.unsentLimit }

  /// No further request is answered while the bodies of responses have more bytes than this.
  private static let unsentLimit = 1 << 20

  /// True if requests, pieces of bodies or frames wait for the next turn.
  var isUnfinished: Bool {
    session.hasRequests && hasRoom || session.hasDelayedPieces || hasDelayedOutput
  }

  // MARK: Responses

  func hold(_ response: Response, _ pieces: BodyPieces? = nil, for context: ResponseEncoder.Context) {
    connection.scheduleFlush()
    if case .reset = response.transport { return connection.afterFlush = .reset }
    held.append(HeldResponse(response: response, pieces: pieces, context: context))
    heldBytes += response.body.count
  }

  /// Discards the responses of this tick, and a long poll that began in it.
  func rollBack(_ stream: Int32) {
    (held, heldBytes) = ([], 0)
    if connection.afterFlush == .reset { connection.afterFlush = .keepOpen }
    waiting[stream]?.stop()
  }

  func wait(_ request: WaitingRequest, on stream: Int32) { waiting[stream] = request }

  func stopWaiting(on stream: Int32) { waiting[stream] = nil }

  /// Frames of this tick's responses, as many as the client reads fast enough.
  func appendOutput(to output: inout [UInt8]) {
    if !session.isSending { connection.lastWriteProgress = now }
    for held in held {
      session.respond(held.response, held.pieces, to: held.context.stream, isHead: held.context.isHead)
      if !held.context.keepAlive { session.shutDown() }
    }
    held.removeAll(keepingCapacity: true)
    heldBytes = 0
    session.appendOutput(
      to: &output, limit: server.configuration.writeQueueLimit - connection.stream.queuedBytes)
    if session.sentBytes != lastSentBytes {
      lastSentBytes = session.sentBytes
      connection.lastWriteProgress = now
    }
    if session.isFinished, connection.afterFlush == .keepOpen { connection.afterFlush = .close }
  }

  /// Sends further frames until the client reads too slowly, as its windows allow, or the turn is long.
  func sendRest() throws {
    hasDelayedOutput = false
    while session.hasOutput, connection.stream.queuedBytes == 0, !connection.stream.isClosing {
      guard !server.isTurnLong else { return hasDelayedOutput = true }
      var output = server.batch.takeBuffer()
      appendOutput(to: &output)
      guard !output.isEmpty else { return }
      try connection.send(output)
      server.batch.recycle(output)
    }
  }

  /// Continues with live bodies that have more now. Returns their cost; nil if there are no live bodies.
  func continueLiveBodies(isBeat: Bool) -> Int? {
    if !session.isSending { connection.lastWriteProgress = now }
    let cost = session.continueLiveBodies(isBeat: isBeat)
    if cost > 0 { connection.scheduleFlush() }
    return session.hasLiveBodies ? cost : nil
  }

  /// Bytes of responses that the client's windows hold back.
  var unsentBytes: Int { session.unsentBytes }

  // MARK: The end

  /// Refuses further requests, and closes the connection after the last response.
  func shutDown() {
    session.shutDown()
    session.finishLiveBodies()
    connection.scheduleFlush()
  }

  /// The client has closed its side: answers what is left, and closes.
  func finish() {
    if session.hasStreams { shutDown() } else { connection.close() }
  }

  /// Called when the connection is closed.
  func end() { for request in waiting.values { request.stop() } }

  private func endStream(_ stream: Int32) {
    waiting[stream]?.stop()
    lastActivity = now
  }

  // MARK: Timeouts

  private func updateOldest() {
    let current = session.isInHead ? 0 : session.oldestIncomplete?.stream
    guard current != oldest?.stream else { return }
    oldest = current.map { ($0, now) }
  }

  /// Ends the connection, or its oldest request, if the client is too slow.
  func enforceTimeouts() {
    let configuration = server.configuration
    let writeAge = Duration.milliseconds(Int64(now - connection.lastWriteProgress))
    if session.isSending, writeAge > configuration.writeTimeout {
      return connection.abortSlowReader("read nothing for \(configuration.writeTimeout)")
    }
    let idleAge = Duration.milliseconds(Int64(now - lastActivity))
    if !session.hasStreams, idleAge > configuration.idleTimeout { return terminate() }
    if connection.inputEnded, idleAge > configuration.halfClosedTimeout { return connection.close() }
    updateOldest()
    guard let oldest else { return }
    let age = Duration.milliseconds(Int64(now - oldest.since))
    if session.isInHead {
      if age > configuration.headTimeout { terminate() }
    } else if let request = session.oldestIncomplete, age > bodyTimeout(after: request.bodyBytes) {
      session.rejectOldest()
      connection.scheduleFlush()
    }
  }

  private func bodyTimeout(after bytes: Int) -> Duration {
    server.configuration.bodyTimeout + server.configuration.bodyRateAllowance(for: bytes)
  }

  private func terminate() {
    session.terminate()
    connection.scheduleFlush()
  }
}

extension ClientConnection {
  func receiveHTTP2(_ bytes: UnsafeRawBufferPointer) { http2?.receive(bytes) }

  /// Continues with HTTP/2.
  func startHTTP2() {
    http2 = HTTP2Connection(self)
    enter(.http2, restart: true)
    scheduleFlush()
  }
}
