import Crypto
import HTTP
import Loop

/// One client's connection: reads requests and writes responses, in order.
///
/// ```
/// received ─> [decrypt] ─> receive ─> parse ─> respond ─> holdUntilCommit      responses collect in `output`
/// end of tick: GroupCommit commits ─> flush ─> [encrypt] ─> resumeInputNextTurn
/// ```
/// A class, because the stream calls it back. Writing: `ClientConnection+Output.swift`, `UnsentBytes.swift`.
/// TLS and tunnels: `ClientConnection+TLSAndProxy.swift`. Long polls: `PendingReplies.swift`. Timeouts:
/// `Timeouts.swift`. WebSockets: `WebSocket/SocketConnection.swift`. HTTP/2: `HTTP2/HTTP2Connection.swift`.
final class ClientConnection {
  /// What the connection is doing; selects its timeout.
  enum Stage {
    /// A tunnel is open, and its first bytes are still to come.
    case tunnelOpened
    case tlsHandshake
    case idle
    case head
    case body
    case responding
    /// A WebSocket is open. No request follows.
    case webSocket
    /// The client speaks HTTP/2. `HTTP2Connection` knows more.
    case http2
    /// Our side is closed, and the client may still be sending.
    case lingering
  }

  /// A response to write before the next final response.
  enum InterimResponse { case none, `continue`, tunnelEstablished }

  /// What happens after everything is written.
  enum AfterFlush { case keepOpen, close, reset }

  let server: Server
  let stream: TCPStream
  /// Nil without TLS.
  var session: TLSSession?
  /// The index in `server.connections`.
  var index: Int
  /// The long poll that the client waits for.
  var waiting: WaitingRequest?
  /// Set while bytes are forwarded to a remote host.
  var tunnel: Tunnel?
  /// Set if the client speaks HTTP/2.
  var http2: HTTP2Connection?
  /// Set while the connection is a WebSocket.
  var socket: SocketConnection?

  var parser: RequestParser
  /// True if the server was full. Every request is then answered with 503.
  let isOverLimit: Bool
  /// True if the listener allows more than one request.
  let keepAlive: Bool
  /// True if the client may use the server as a proxy.
  var isProxy: Bool
  /// Encoded responses of this tick.
  var output: [UInt8] = []
  /// The rest of a large body. It follows `output`, and later requests wait until it is written.
  var unsentBody: UnsentBody?
  /// This connection's share of `server.unsent`.
  var unsentBytes = 0
  /// Requests answered since the last flush.
  var requestsInTurn = 0
  /// True while the connection is listed in `server.delayedConnections`.
  var isDelayed = false
  /// Input that waits because an earlier request is not answered, or too much output is queued.
  var bufferedInput: [UInt8] = []
  /// A last response that belongs to no request. The connection closes after it.
  var finalResponse: Response?
  var pendingInterim = InterimResponse.none
  /// True while the connection is listed in `server.batch.connectionsToFlush`.
  var isScheduledForFlush = false
  var isClosed = false
  /// True if the client closed its side.
  var inputEnded = false
  /// True if bytes of the client were ignored. Closing at once would then reset the connection.
  var hasIgnoredInput = false
  var afterFlush = AfterFlush.keepOpen
  var stage: Stage
  /// When the stage started, in the loop's milliseconds.
  var stageStart: UInt64
  /// The size of the write queue when it was last checked.
  var lastQueuedBytes = 0
  /// When the write queue last shrank or started to grow, in the loop's milliseconds.
  var lastWriteProgress: UInt64 = 0

  init(
    _ server: Server, _ stream: TCPStream, _ session: TLSSession?, keepAlive: Bool, isProxy: Bool,
    isOverLimit: Bool, index: Int
  ) {
    self.server = server
    self.stream = stream
    self.session = session
    self.keepAlive = keepAlive
    self.isProxy = isProxy
    self.isOverLimit = isOverLimit
    self.index = index
    stage = session == nil ? .idle : .tlsHandshake
    stageStart = server.loop.milliseconds
    parser = RequestParser(
      limits: server.configuration.limits, scheme: session == nil ? "http" : "https",
      peer: stream.peer?.description ?? "",
      authority: stream.local?.description ?? "", acceptsHTTP2: keepAlive)
  }

  /// Starts reading.
  func start() {
    do throws(LoopError) { try stream.start(owner: self) } catch { stream.close() }
  }

  /// Enters a stage. The timeout restarts if the stage changes or `restart` is true.
  func enter(_ next: Stage, restart: Bool = false) {
    if next != stage || restart { stageStart = server.loop.milliseconds }
    stage = next
  }
}

// MARK: Reading

extension ClientConnection: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    if let session { decrypt(bytes, with: session) } else { receive(bytes) }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    inputEnded = true
    hasIgnoredInput = false
    recordAbandonedHandshake()
    guard tunnel == nil else { return }
    guard socket == nil, unsentBody?.live == nil else { return close() }
    if let http2, stage == .http2 { return http2.finish() }
    let hasWork = isScheduledForFlush || hasUnsentBytes || waiting != nil || isDelayed
    guard hasWork, stage != .lingering else { return close() }
    if bufferedInput.isEmpty, waiting == nil, afterFlush == .keepOpen { afterFlush = .close }
  }

  func streamDrained(_ stream: TCPStream) {
    lastQueuedBytes = 0
    lastWriteProgress = server.loop.milliseconds
    continueOutput()
  }

  func stream(_ stream: TCPStream, failed error: LoopError) {
    recordAbandonedHandshake()
    stream.close()
  }

  func streamClosed(_ stream: TCPStream) {
    isClosed = true
    waiting?.stop()
    http2?.end()
    http2 = nil
    discardUnsentBytes()
    tunnel?.end()
    tunnel = nil
    socket?.end()
    socket = nil
    server.remove(self)
  }
}

extension ClientConnection {
  /// Handles decrypted bytes.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    guard stage != .lingering, afterFlush == .keepOpen else { return hasIgnoredInput = true }
    if server.isPaused, !isBlocked { continueNextTurn() }
    if isBlocked || !bufferedInput.isEmpty {
      bufferedInput.append(contentsOf: bytes)
      if bufferedInput.count > server.configuration.readQueueLimit { stream.pauseReading() }
    } else {
      parse(bytes)
    }
  }

  /// True if the next request must wait.
  var isBlocked: Bool {
    waiting != nil || tunnel != nil || pendingInterim == .tunnelEstablished || unsentBody != nil || isDelayed
      || output.count + stream.queuedBytes > server.configuration.writeQueueLimit
  }

  /// Continues with buffered input and with reading, unless the connection is still blocked.
  func resumeInput() {
    guard !stream.isClosing, afterFlush == .keepOpen, !isBlocked else { return }
    if let http2 {
      http2.answerRequests()
      guard !isBlocked, !http2.isUnfinished else { return }
    }
    if !bufferedInput.isEmpty {
      var input: [UInt8] = []
      swap(&input, &bufferedInput)
      input.withUnsafeBytes { parse($0) }
    }
    guard bufferedInput.isEmpty, afterFlush == .keepOpen else { return }
    if inputEnded {
      guard http2 == nil else { return }
      if isScheduledForFlush || hasUnsentBytes { afterFlush = .close } else { close() }
    } else {
      do throws(LoopError) { try stream.resumeReading() } catch { stream.close() }
    }
  }

  /// Parses requests and answers them. The first bytes inside a tunnel select its protocol.
  func parse(_ bytes: UnsafeRawBufferPointer) {
    switch stage {
    case .tunnelOpened: return startTunnelProtocol(bytes)
    case .webSocket: return receiveFrames(bytes)
    case .http2: return receiveHTTP2(bytes)
    default: break
    }
    var position = 0
    do throws(MalformedRequest) {
      reading: while afterFlush == .keepOpen, !isBlocked, position == bytes.count || mayContinueTurn {
        switch try parser.next(in: bytes, at: &position, bodyLimit: { server.application.bodyLimit(for: $0) })
        {
        case .needsMore(let part):
          enter(Stage(part))
          break reading
        case .continueExpected:
          pendingInterim = .continue
          scheduleFlush()
        case .message(let message):
          pendingInterim = .none
          enter(.responding, restart: true)
          respond(to: consume message)
          requestsInTurn += 1
          if stage == .webSocket { break reading }
          if waiting == nil { enter(.idle) }
        case .tunnel(let message):
          handleConnect(message.request)
          break reading
        case .http2Preface:
          startHTTP2()
          HTTP2Session.prefaceLine.withUnsafeBytes { receiveHTTP2($0) }
          return receiveHTTP2(UnsafeRawBufferPointer(rebasing: bytes[position...]))
        }
      }
    } catch {
      reject(error)
    }
    if position < bytes.count {
      if afterFlush == .keepOpen {
        bufferedInput.append(contentsOf: bytes[position...])
      } else {
        hasIgnoredInput = true
      }
    }
  }
}

extension ClientConnection {
  /// True if another request may be answered in this turn of the loop.
  var mayContinueTurn: Bool {
    requestsInTurn == 0 || requestsInTurn < server.configuration.requestsPerTurn && !server.isTurnLong
  }
}

extension ClientConnection.Stage {
  fileprivate init(_ part: RequestParser.Part) {
    switch part {
    case .none: self = .idle
    case .head: self = .head
    case .body: self = .body
    }
  }
}

// MARK: Responding

extension ClientConnection {
  /// Consumes the message, because a copy would retain a dozen members.
  func respond(to message: consuming RequestParser.Message) {
    if isOverLimit {
      afterFlush = .close
      let response = server.application.errorResponse(for: .overload, to: message.request)
      return holdUntilCommit(response, for: message)
    }
    server.batch.hasChanges = true
    if !message.request.via.isDirect, !handleLocally(message) { return }
    let reply = server.application.respond(to: message.request)
    server.idleMemory.noteUse()
    server.turns.answered(
      message.request, at: server.loop.coarseMilliseconds, inTurnOf: server.loop.milliseconds)
    deliver(reply, to: message)
  }

  /// Sends a reply at the end of the tick, or waits for it. `start` is when the request was complete, if not
  /// in this turn.
  func deliver(_ reply: Reply, to message: consuming RequestParser.Message, since start: UInt64? = nil) {
    switch reply {
    case .now(let response): holdUntilCommit(response, for: message, since: start)
    case .streamed(let response, let body): holdUntilCommit(response, body, for: message, since: start)
    case .after(let delay, let response):
      wait(for: PendingReply(for: delay, answer: { nil }, onTimeout: { response }), to: message)
    case .pending(let reply): wait(for: reply, to: message)
    case .blocked(let request): wait(for: request, to: message)
    case .webSocket(let response, let socket): open(socket, response, for: message)
    }
  }

  /// Encodes the response. It is sent after the tick's commit.
  func holdUntilCommit(
    _ response: Response, for message: consuming RequestParser.Message, since start: UInt64? = nil
  ) {
    var context = encodingContext(for: message)
    if response.closesConnection { context.keepAlive = false }
    append(response, for: context)
    if server.onAnswer != nil { note(response, bytes: response.body.count, to: message, since: start) }
    server.batch.uncommitted.append(.init(connection: self, message: message, context: context))
  }

  /// The same for a body in pieces. HTTP/1.0 has no transfer codings: there, the connection ends with the
  /// body.
  private func holdUntilCommit(
    _ response: Response, _ body: BodyPieces, for message: consuming RequestParser.Message,
    since start: UInt64?
  ) {
    if body.isLive { server.addLiveBody(body, of: self) }
    if server.onAnswer != nil { note(response, bytes: nil, to: message, since: start) }
    var context = encodingContext(for: message)
    if let http2 {
      http2.hold(response, body, for: context)
    } else {
      if context.minorVersion == 0 { context.keepAlive = false }
      if output.isEmpty { output = server.batch.takeBuffer() }
      ResponseEncoder.appendHeadOfPieces(response, for: context, to: &output)
      if !context.isHead { unsentBody = .pieces(body, isChunked: context.minorVersion > 0) }
      if !context.keepAlive, afterFlush == .keepOpen { afterFlush = .close }
      scheduleFlush()
    }
    server.batch.uncommitted.append(.init(connection: self, message: message, context: context))
  }

  func encodingContext(for message: borrowing RequestParser.Message) -> ResponseEncoder.Context {
    let keepAlive = message.keepAlive && keepAlive && afterFlush == .keepOpen && !server.isDraining
    return ResponseEncoder.Context(
      isHead: message.request.method == .head, keepAlive: keepAlive, minorVersion: message.minorVersion,
      stream: message.stream)
  }

  /// Appends a response to this tick's output.
  func append(_ response: Response, for context: ResponseEncoder.Context) {
    if context.stream != 0 {
      http2?.hold(response, for: context)
      return
    }
    if output.isEmpty { output = server.batch.takeBuffer() }
    let rest = ResponseEncoder.append(
      response, for: context, to: &output, copyLimit: server.configuration.writeQueueLimit)
    unsentBody = rest.map { .bytes($0) }
    if !context.keepAlive, afterFlush == .keepOpen { afterFlush = .close }
    switch response.transport {
    case .whole: break
    case .truncated: afterFlush = .close
    case .reset: afterFlush = .reset
    }
    scheduleFlush()
  }

  /// Discards the responses, long polls and WebSockets of this tick after its commit failed.
  func rollBack(_ context: ResponseEncoder.Context) {
    if let http2 { return http2.rollBack(context.stream) }
    output.removeAll(keepingCapacity: true)
    unsentBody = nil
    afterFlush = finalResponse == nil && !hasIgnoredInput ? .keepOpen : .close
    guard waiting != nil || socket != nil else { return }
    socket = nil
    waiting?.stop()
    enter(.idle, restart: true)
  }

  /// Answers a request that is malformed or incomplete, and closes.
  func reject(_ error: MalformedRequest) {
    let response = server.application.response(to: error, after: parser.unfinishedHead)
    report(response, after: parser.unfinishedHead)
    sendFinalResponse(response)
  }

  /// Sends a response that belongs to no request, and closes.
  func sendFinalResponse(_ response: Response) {
    finalResponse = response
    afterFlush = .close
    hasIgnoredInput = true
    pendingInterim = .none
    scheduleFlush()
  }
}
