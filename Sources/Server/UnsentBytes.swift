import HTTP
import Loop

/// A client whose connection was reset because it did not read its responses.
package struct SlowReader {
  /// The client's address and port.
  package let peer: String
  package let unsentBytes: Int
  /// Completes the sentence "the client …".
  package let why: String
}

/// The rest of a large body.
enum UnsentBody {
  case bytes(ArraySlice<UInt8>)
  /// Sent with chunked transfer coding, or up to the end of the connection.
  case pieces(BodyPieces, isChunked: Bool)

  /// The pieces of an event stream; nil for another body.
  var live: BodyPieces? {
    if case .pieces(let pieces, _) = self, pieces.isLive { pieces } else { nil }
  }

  /// The bytes in memory.
  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .pieces: 0
    }
  }
}

/// The bytes of responses that all clients together have not read yet.
struct UnsentBytes {
  private(set) var count = 0
  /// The maximum since memory was returned.
  private var peak = 0

  /// Freeing less than this is not worth returning memory to the system.
  private static let noticeablePeak = 8 << 20

  mutating func add(_ difference: Int) {
    count += difference
    peak = max(peak, count)
  }

  /// Returns memory to the system after most of the bytes were sent or discarded.
  mutating func returnMemory() {
    guard peak >= Self.noticeablePeak, count < peak / 4 else { return }
    peak = count
    ProcessMemory.trim()
  }
}

extension Server {
  /// Disconnects clients until the limit is kept: those without progress for a second first, longest without
  /// progress first, and then the one whose response exceeded the limit, unless it is the only one.
  func enforceUnsentLimit(of connection: ClientConnection) {
    let why =
      "left its responses unread while all clients had more than \(configuration.unsentLimit) bytes unread"
    while unsent.count > configuration.unsentLimit, let slowest = slowestReader(but: connection) {
      slowest.abortSlowReader(why)
    }
    guard unsent.count > configuration.unsentLimit, unsent.count > connection.unsentBytes else { return }
    connection.abortSlowReader(why)
  }

  private func slowestReader(but connection: ClientConnection) -> ClientConnection? {
    connections.filter {
      $0 !== connection && $0.unsentBytes > 0 && loop.milliseconds > $0.lastWriteProgress + Self.stallTime
    }
    .min { $0.lastWriteProgress < $1.lastWriteProgress }
  }

  /// How long a client may make no progress while too many bytes are unsent, in milliseconds.
  private static let stallTime: UInt64 = 1_000
}

extension ClientConnection {
  /// Writes pieces of a large body until the client reads too slowly, or the turn is long.
  func sendUnsentBody() throws {
    let size = server.configuration.writeQueueLimit
    while let body = unsentBody, stream.queuedBytes == 0, !stream.isClosing {
      guard !server.isTurnLong else { return continueNextTurn() }
      switch body {
      case .bytes(let bytes):
        let piece = bytes.prefix(size)
        let rest = bytes[piece.endIndex...]
        unsentBody = rest.isEmpty ? nil : .bytes(rest)
        try send(Array(piece))
      case .pieces(let pieces, let isChunked):
        switch try pieces.next(size: size, until: { server.isTurnLong }) {
        case .bytes(let piece): try send(isChunked ? ResponseEncoder.chunk(piece) : piece)
        case .later: return pieces.isLive ? () : continueNextTurn()
        case .end:
          unsentBody = nil
          if isChunked { try send(ResponseEncoder.chunk([])) }
        }
      }
    }
  }

  /// Continues with the body, and after its end with input. A body whose head is in this turn's output must
  /// wait: its flush writes both.
  func continueOutput() {
    guard !isScheduledForFlush else { return }
    if http2 != nil { return scheduleFlush() }
    // All that was sent has been read.
    if stream.queuedBytes == 0 { lastWriteProgress = server.loop.milliseconds }
    do { try sendUnsentBody() } catch { stream.close() }
    lastQueuedBytes = stream.queuedBytes
    countUnsentBytes()
    guard !hasUnsentBytes, !stream.isClosing else { return }
    if stage == .idle { enter(.idle, restart: true) }
    if afterFlush == .close { return closeAfterInput() }
    socket?.resumeUpdates()
    resumeInput()
  }

  /// True if bytes of earlier responses are unsent.
  var hasUnsentBytes: Bool { stream.queuedBytes > 0 || unsentBody != nil }

  /// Adds the change of this connection's unsent bytes to those of all.
  func countUnsentBytes() {
    let count =
      stream.isClosing ? 0 : stream.queuedBytes + (unsentBody?.count ?? 0) + (http2?.unsentBytes ?? 0)
    let difference = count - unsentBytes
    guard difference != 0 else { return }
    unsentBytes = count
    server.unsent.add(difference)
    if difference > 0 { server.enforceUnsentLimit(of: self) } else { server.unsent.returnMemory() }
  }

  /// Resets the connection of a client that does not read.
  func abortSlowReader(_ why: String) {
    let reader = SlowReader(
      peer: stream.peer?.description ?? "unknown", unsentBytes: unsentBytes, why: why)
    discardUnsentBytes()
    stream.abort()
    server.application.recordSlowReader(reader)
  }

  func discardUnsentBytes() {
    server.unsent.add(-unsentBytes)
    unsentBytes = 0
    unsentBody = nil
    bufferedInput = []
  }
}
