package import HTTP

/// One turn of the event loop: everything between two waits for events. No other request is answered
/// meanwhile.
package struct LoopTurn {
  package let duration: Duration
  /// How long the thread did nothing in it, because it waited for the disk or for a processor.
  package let waited: Duration
  /// True if the turn took longer than `Server.Configuration.slowTurn`.
  package let isSlow: Bool
  /// The requests that were answered.
  package let requests: Int
  /// The request that took longest, and how long; nil if none took a millisecond.
  package let slowest: (request: Request, duration: Duration)?
}

/// Finds long turns of the event loop, and the slowest request of each. Times are milliseconds of the loop's
/// clock.
struct TurnWatch {
  private let slow: UInt64
  private var longest: UInt64 = 0
  private var start: UInt64 = 0
  /// When the last request of the turn was answered.
  private var lastAnswer: UInt64 = 0
  private var requests = 0
  private var slowest: (request: Request, duration: UInt64)?

  init(slow: UInt64) { self.slow = slow }

  /// Counts a request. It took the time since the request before it, or since the start of the turn.
  mutating func answered(_ request: borrowing Request, at now: UInt64, inTurnOf start: UInt64) {
    if start != self.start { begin(start) }
    requests += 1
    guard now > lastAnswer else { return }
    let duration = now - lastAnswer
    lastAnswer = now
    if duration > slowest?.duration ?? 0 { slowest = (copy request, duration) }
  }

  /// Returns the turn if it is slow or longer than all before.
  mutating func end(of start: UInt64, after duration: UInt64, worked: UInt64) -> LoopTurn? {
    if start != self.start { begin(start) }
    defer { begin(0) }
    guard duration > longest || duration >= slow else { return nil }
    longest = max(longest, duration)
    return LoopTurn(
      duration: .milliseconds(Int64(duration)),
      waited: .milliseconds(Int64(duration - min(worked, duration))),
      isSlow: duration >= slow, requests: requests,
      slowest: slowest.map { ($0.request, .milliseconds(Int64($0.duration))) })
  }

  private mutating func begin(_ start: UInt64) {
    self.start = start
    lastAnswer = start
    requests = 0
    if slowest != nil { slowest = nil }
  }
}
