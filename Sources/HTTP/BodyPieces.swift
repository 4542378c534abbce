/// A body that is produced while the client reads it: never whole in memory, and between other requests.
///
/// ```
/// large:  piece, piece, nothing yet, piece, end                      lists, pages, files
/// live:   piece, nothing yet … hasNews … piece, nothing yet …        event streams; the client ends them
/// ```
/// Whatever takes long is answered like this: a closure returns the next piece, and the event loop calls it
/// until its turn is long, then again in the next turn.
///
/// ```swift
/// var lines = ["a", "b"][...]
/// return .streamed(Response(200), BodyPieces { lines.popFirst().map { Array("\($0)\n".utf8) } })
/// ```
/// A class, because each piece exists once.
package final class BodyPieces {
  /// What comes next.
  package enum Next: Equatable {
    case bytes([UInt8])
    /// Nothing yet: a live body has no news, or the time was up before there was a piece to send.
    case later
    case end
  }

  /// Called with an error of `produce`, before it is thrown.
  package var onFailure: (any Error) -> Void = { _ in }
  /// Called before each piece. An error ends the body like one of `produce`.
  package var requirement: () throws -> Void = {}
  private let currentCost: () -> Int
  private let produce: () throws -> [UInt8]?
  /// Nil for a body that is not live.
  private let news: (() -> Bool)?
  private var heartbeat: [UInt8] = []
  /// True if nothing was produced since the last call of `beat`.
  private var isQuiet = false
  private var isHeartbeatDue = false
  private var isAtEnd = false
  /// What was produced, and not returned yet.
  private var ready: [UInt8] = []
  /// Nil if nothing but its source ends the body.
  private var permission: (isGiven: () -> Bool, farewell: [UInt8])?

  /// `produce` returns pieces of any size, and nil at the end. An empty piece is work without a result yet.
  /// Each call may take a few milliseconds. It is made between other requests, so what it reads may have
  /// changed. After an error the connection closes, and the client sees that the body is incomplete.
  package init(_ produce: @escaping () throws -> [UInt8]?) {
    self.produce = produce
    news = nil
    currentCost = { 1 }
  }

  /// A live body. `produce` returns an empty piece for "nothing yet", and is then called again when `hasNews`
  /// returns true. `heartbeat` is what a client gets from time to time that means nothing. `cost`: see the
  /// property.
  package init(
    hasNews: @escaping () -> Bool, heartbeat: [UInt8], cost: @escaping () -> Int = { 1 },
    _ produce: @escaping () throws -> [UInt8]?
  ) {
    self.produce = produce
    news = hasNews
    currentCost = cost
    self.heartbeat = heartbeat
  }

  package var isLive: Bool { news != nil }

  /// How much work it was to continue a live body: at least 1, as for the event stream of a sandbox.
  package var cost: Int { max(1, currentCost()) }

  /// True if a live body that had nothing may have more now.
  package var hasNews: Bool { isAtEnd || isHeartbeatDue || isForbidden || news?() == true }

  private var isForbidden: Bool { permission?.isGiven() == false }

  /// Ends the body, with a last piece, as soon as `isGiven` returns false. Nothing else is produced then.
  package func end(with farewell: [UInt8], unless isGiven: @escaping () -> Bool) {
    permission = (isGiven, farewell)
  }

  /// Ends the body after what was produced.
  package func finish() { isAtEnd = true }

  /// Called regularly: makes a heartbeat due if the client got nothing since the last call.
  package func beat() { (isHeartbeatDue, isQuiet) = (isQuiet, true) }

  /// The next pieces, until they have `size` bytes or `isTimeUp`.
  package func next(size: Int, until isTimeUp: () -> Bool = { false }) throws -> Next {
    if !isAtEnd, isForbidden {
      isAtEnd = true
      ready = permission?.farewell ?? []
    }
    try produce(size, until: isTimeUp)
    if !isAtEnd, ready.isEmpty, isHeartbeatDue { ready = heartbeat }
    guard ready.isEmpty else {
      (isQuiet, isHeartbeatDue) = (false, false)
      defer { ready = [] }
      return .bytes(ready)
    }
    return isAtEnd ? .end : .later
  }

  /// The whole body if it has at most `size` bytes and is produced before `isTimeUp`. Otherwise nil, and
  /// `next` begins with what was produced.
  package func whole(upTo size: Int, until isTimeUp: () -> Bool) throws -> [UInt8]? {
    try produce(size + 1, until: isTimeUp)
    guard isAtEnd, ready.count <= size else { return nil }
    defer { ready = [] }
    return ready
  }

  /// All pieces that there are now.
  package func collect() throws -> [UInt8] {
    guard case .bytes(let bytes) = try next(size: .max) else { return [] }
    return bytes
  }

  /// Produces at least one piece, unless enough is ready.
  private func produce(_ size: Int, until isTimeUp: () -> Bool) throws {
    while !isAtEnd, ready.count < size {
      guard let piece = try producePiece() else {
        isAtEnd = true
        return
      }
      if ready.isEmpty { ready = piece } else { ready += piece }
      if isLive && piece.isEmpty || isTimeUp() { return }
    }
  }

  private func producePiece() throws -> [UInt8]? {
    do {
      try requirement()
      return try produce()
    } catch {
      onFailure(error)
      throw error
    }
  }
}

extension BodyPieces {
  /// The most bytes that `mapped` transforms at once.
  private static let mappedSize = 1 << 15

  /// Bytes that exist, for work on them in pieces.
  package convenience init(_ bytes: [UInt8]) {
    var waiting: [UInt8]? = bytes
    self.init {
      defer { waiting = nil }
      return waiting
    }
  }

  /// The same body with another form. `transform` gets its bytes, a few at a time, and nil after the last
  /// ones.
  package func mapped(_ transform: @escaping ([UInt8]?) throws -> [UInt8]) -> BodyPieces {
    var rest: ArraySlice<UInt8> = []
    var isAtEnd = false
    return BodyPieces { [self] in
      guard !isAtEnd else { return nil }
      if rest.isEmpty {
        // One piece at a time: the caller knows when the time is up.
        switch try next(size: 1, until: { true }) {
        case .bytes(let piece): rest = piece[...]
        case .later: return []
        case .end:
          isAtEnd = true
          return try transform(nil)
        }
      }
      defer { rest = rest.dropFirst(Self.mappedSize) }
      return try transform(Array(rest.prefix(Self.mappedSize)))
    }
  }
}
