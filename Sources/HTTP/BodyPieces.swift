/// A body that is produced while the client reads it, so that it is never whole in memory.
///
/// ```
/// large:  piece, piece, piece, end
/// live:   piece, nothing yet … hasNews … piece, nothing yet …        event streams; the client ends them
/// ```
/// A class, because each piece exists once.
package final class BodyPieces {
  /// What comes next.
  package enum Next: Equatable {
    case bytes([UInt8])
    /// Nothing yet. Only of a live body.
    case later
    case end
  }

  /// Called with an error of `produce`, before it is thrown.
  package var onFailure: (any Error) -> Void = { _ in }
  private let currentCost: () -> Int
  private let produce: () throws -> [UInt8]?
  /// Nil for a body that is not live.
  private let news: (() -> Bool)?
  private var heartbeat: [UInt8] = []
  /// True if nothing was produced since the last call of `beat`.
  private var isQuiet = false
  private var isHeartbeatDue = false
  private var isAtEnd = false
  /// Nil if nothing but its source ends the body.
  private var permission: (isGiven: () -> Bool, farewell: [UInt8])?

  /// `produce` returns pieces of any size, and nil at the end. It is called between other requests, so what
  /// it reads may have changed. After an error the connection closes, and the client sees that the body is
  /// incomplete.
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
    var bytes: [UInt8] = []
    if !isAtEnd, isForbidden {
      isAtEnd = true
      bytes = permission?.farewell ?? []
    }
    while !isAtEnd, bytes.count < size, bytes.isEmpty || !isTimeUp() {
      guard let piece = try producePiece() else {
        isAtEnd = true
        break
      }
      if isLive, piece.isEmpty {
        if isHeartbeatDue, bytes.isEmpty { bytes = heartbeat }
        break
      }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    guard bytes.isEmpty else {
      (isQuiet, isHeartbeatDue) = (false, false)
      return .bytes(bytes)
    }
    return isAtEnd ? .end : .later
  }

  /// All pieces that there are now.
  package func collect() throws -> [UInt8] {
    guard case .bytes(let bytes) = try next(size: .max) else { return [] }
    return bytes
  }

  private func producePiece() throws -> [UInt8]? {
    do {
      return try produce()
    } catch {
      onFailure(error)
      throw error
    }
  }
}
