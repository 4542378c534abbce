import HTTP
import Loop

/// One client's connection: requests in, answers out, in order; a class because the stream calls it back.
final class Connection {
  /// What the connection is in the middle of, for its time-out.
  enum Stage { case idle, head, body, answering, lingering }

  /// How it goes on once everything is written.
  enum Ending { case none, close, reset }

  /// An answer that waits, and for whom.
  struct Following {
    let follow: Follow
    let message: RequestParser.Message
    let deadline: UInt64
  }

  let server: Server
  let stream: TCPStream
  /// Its index in the server's list.
  var slot: Int
  /// Its index in the list of those that wait; nil when it does not.
  var followSlot: Int?
  /// The answer it waits for.
  private(set) var follow: Following?

  private var parser: RequestParser
  private let isSurplus: Bool
  /// Answers of this tick.
  private var output: [UInt8] = []
  /// Input whose turn has not come: an answer before it waits, or too much is queued for writing.
  private var pending: [UInt8] = []
  /// The last answer of all, which belongs to no request.
  private var parting: Response?
  private var isContinueDue = false
  private var isDirty = false
  private var isClosed = false
  private var inputEnded = false
  /// Whether bytes of the client were left unread, so that closing at once would reset the connection.
  private var hasUnreadInput = false
  private var ending = Ending.none
  private var stage = Stage.idle
  private var stageBegan: UInt64
  private var queuedBefore = 0
  private var queueMoved: UInt64 = 0

  /// A connection of this server, told its places in the server's lists.
  init(_ server: Server, _ stream: TCPStream, scheme: String, isSurplus: Bool, slot: Int) {
    self.server = server
    self.stream = stream
    self.isSurplus = isSurplus
    self.slot = slot
    stageBegan = server.loop.milliseconds
    parser = RequestParser(
      limits: server.configuration.limits, scheme: scheme, peer: stream.peer?.description ?? "",
      authority: stream.local?.description ?? "")
  }

  /// Begins to read.
  func start() {
    do throws(LoopError) { try stream.start(owner: self) } catch { stream.close() }
  }
}

// MARK: - Reading

extension Connection: TCPStreamOwner {
  func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
    guard stage != .lingering, ending == .none else { return hasUnreadInput = true }
    if isHeldUp || !pending.isEmpty {
      pending.append(contentsOf: bytes)
      if pending.count > server.configuration.readQueueLimit { stream.pauseReading() }
    } else {
      read(bytes)
    }
  }

  func streamReachedEnd(_ stream: TCPStream) {
    inputEnded = true
    hasUnreadInput = false
    if isDirty || stream.queuedBytes > 0, follow == nil, stage != .lingering {
      if pending.isEmpty, ending == .none { ending = .close }
    } else {
      stream.close()
    }
  }

  func streamDrained(_ stream: TCPStream) {
    if ending == .close { return finish() }
    queuedBefore = 0
    readOn()
  }

  func stream(_ stream: TCPStream, failed error: LoopError) { stream.close() }

  func streamClosed(_ stream: TCPStream) {
    isClosed = true
    follow = nil
    server.remove(self)
  }

  /// Whether the next request must wait.
  private var isHeldUp: Bool {
    follow != nil || output.count + stream.queuedBytes > server.configuration.writeQueueLimit
  }

  /// Takes up input that was held up, once it no longer is.
  func readOn() {
    guard !isClosed, ending == .none, !isHeldUp else { return }
    if !pending.isEmpty {
      var input: [UInt8] = []
      swap(&input, &pending)
      input.withUnsafeBytes { read($0) }
    }
    guard pending.isEmpty, ending == .none else { return }
    if inputEnded {
      endInput()
    } else {
      do throws(LoopError) { try stream.resumeReading() } catch { stream.close() }
    }
  }

  private func endInput() {
    if isDirty || stream.queuedBytes > 0 { ending = .close } else { stream.close() }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    var position = 0
    do throws(MalformedRequest) {
      reading: while ending == .none, !isHeldUp {
        switch try parser.next(in: bytes, at: &position, bodyLimit: { server.application.bodyLimit(for: $0) })
        {
        case .needsMore(let part):
          enter(Stage(part))
          break reading
        case .continueExpected:
          isContinueDue = true
          markDirty()
        case .message(let message):
          isContinueDue = false
          enter(.idle, anew: true)
          answer(message)
        }
      }
    } catch {
      refuse(error.response)
    }
    if position < bytes.count { keep(bytes[position...]) }
    if follow != nil { enter(.answering) }
  }

  private func keep(_ rest: Slice<UnsafeRawBufferPointer>) {
    if ending == .none { pending.append(contentsOf: rest) } else { hasUnreadInput = true }
  }

  private func enter(_ next: Stage, anew: Bool = false) {
    if next != stage || anew { stageBegan = server.loop.milliseconds }
    stage = next
  }
}

// MARK: - Answering

extension Connection {
  private func answer(_ message: RequestParser.Message) {
    if isSurplus {
      ending = .close
      let response = server.application.failure(for: message.request)
      return hold(response, for: message)
    }
    server.tick.hasChanges = true
    switch server.application.respond(to: message.request) {
    case .now(let response): hold(response, for: message)
    case .after(let delay, let response):
      wait(Follow(for: delay, answer: { nil }, otherwise: { response }), message)
    case .follow(let follow): wait(follow, message)
    }
  }

  /// Encodes the answer; it leaves when the tick's commit has succeeded.
  private func hold(_ response: Response, for message: RequestParser.Message) {
    let context = context(for: message)
    server.tick.held.append(.init(connection: self, request: message.request, context: context))
    append(response, for: context)
  }

  private func context(for message: RequestParser.Message) -> ResponseEncoder.Context {
    let persists = message.persists && ending == .none && !server.isDraining
    return ResponseEncoder.Context(
      isHead: message.request.method == .head, persists: persists, minorVersion: message.minorVersion)
  }

  /// Adds an answer to this tick's output, and notes whether it is the last.
  func append(_ response: Response, for context: ResponseEncoder.Context) {
    if output.isEmpty { output = server.tick.takeBuffer() }
    ResponseEncoder.append(response, for: context, to: &output)
    if !context.persists, ending == .none { ending = .close }
    switch response.transport {
    case .whole: break
    case .truncated: ending = .close
    case .reset: ending = .reset
    }
    markDirty()
  }

  /// Forgets what this tick has encoded and what it waits for: the commit failed.
  func takeBack() {
    output.removeAll(keepingCapacity: true)
    ending = parting == nil && !hasUnreadInput ? .none : .close
    guard follow != nil else { return }
    dropFollow()
    enter(.idle, anew: true)
  }

  /// Ends the connection with an answer that belongs to no request.
  private func refuse(_ response: Response) {
    parting = response
    ending = .close
    hasUnreadInput = true
    isContinueDue = false
    markDirty()
  }

  private func wait(_ next: Follow, _ message: RequestParser.Message) {
    let now = server.loop.milliseconds
    let deadline = now + next.patience.roundedUpMilliseconds
    follow = Following(follow: next, message: message, deadline: deadline)
    server.follows.add(self, until: deadline, now: now)
    let context = context(for: message)
    server.tick.held.append(.init(connection: self, request: message.request, context: context))
  }

  /// Sends the awaited answer if there is one by now.
  func tryFollow() {
    guard let follow else { return }
    finishFollow { try follow.follow.answer() }
  }

  /// Sends the other answer: patience has ended.
  func endFollow() {
    guard let follow else { return }
    finishFollow { try follow.follow.otherwise() }
  }

  private func finishFollow(_ answer: () throws -> Response?) {
    guard let message = follow?.message else { return }
    let response: Response
    do {
      guard let found = try answer() else { return }
      response = found
    } catch let refusal as any Refusal {
      response = refusal.response
    } catch {
      response = server.application.failure(for: message.request)
    }
    dropFollow()
    hold(response, for: message)
    enter(.idle, anew: true)
  }

  private func dropFollow() {
    follow = nil
    server.follows.remove(self)
  }
}

// MARK: - Writing and ending

extension Connection {
  private func markDirty() {
    guard !isDirty else { return }
    isDirty = true
    server.tick.dirty.append(self)
  }

  /// Writes this tick's answers at once, then ends if they were the last.
  func flush() {
    isDirty = false
    guard !isClosed else { return }
    if isContinueDue { output.append(contentsOf: ResponseEncoder.continuation) }
    isContinueDue = false
    if let parting {
      ResponseEncoder.append(parting, for: .init(persists: false), to: &output)
      self.parting = nil
    }
    let written = output
    output = []
    do throws(LoopError) {
      try written.withUnsafeBufferPointer { bytes throws(LoopError) in
        try stream.write(UnsafeRawBufferPointer(bytes))
      }
    } catch {
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
  private func finish() {
    guard hasUnreadInput, !inputEnded else { return stream.close() }
    guard stage != .lingering else { return }
    stream.halfClose()
    enter(.lingering)
    do throws(LoopError) { try stream.resumeReading() } catch { stream.close() }
  }

  /// Ends at once what the client leaves hanging for too long.
  func checkTime() {
    let now = server.loop.milliseconds
    let configuration = server.configuration
    guard !isClosed, !checkQueue(now) else { return }
    let age = Duration.milliseconds(Int64(now - stageBegan))
    switch stage {
    case .idle where age > configuration.idleTimeout && stream.queuedBytes == 0: stream.close()
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
    guard stage == .idle, ending == .none else { return }
    if isDirty || stream.queuedBytes > 0 { ending = .close } else { stream.close() }
  }

  /// Ends without ceremony.
  func abort() { stream.abort() }
}

extension Response {
  /// The answer to a client that is too slow.
  fileprivate static let requestTimeout = Response.text(408, "The request did not arrive in time.\n")
}

extension Connection.Stage {
  /// The stage of a connection whose client has sent so much of a request.
  fileprivate init(_ part: RequestParser.Part) {
    switch part {
    case .none: self = .idle
    case .head: self = .head
    case .body: self = .body
    }
  }
}
