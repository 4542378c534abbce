/// How many frames that ask for nothing a client may send: resets, pings, settings, window updates, empty
/// data.
///
/// Each costs the server work, and the client nothing (CVE-2019-9511 to 9518, CVE-2023-44487, CVE-2025-8671).
/// A client earns more by requests that it lets finish, and by bytes that it reads.
struct HTTP2FrameBudget {
  /// What a new connection has, and the most that it can save.
  static let capacity = 2_000
  private static let perSecond: UInt64 = 200
  private static let perResponse = 4
  /// After this time without input, in milliseconds, the budget is full.
  private static let longestPause: UInt64 = 10_000
  /// A client may confirm every kilobyte, for its stream and for the connection.
  private static let bytesPerUpdate = 512

  private var left = capacity
  private var lastRefill: UInt64?
  private var uncountedBytes = 0

  enum Cost: Int {
    case frame = 1
    /// A request that is withdrawn, or made invalid, after the server began to work on it.
    case reset = 10
  }

  mutating func refill(at now: UInt64) {
    guard let last = lastRefill, now > last else { return lastRefill = lastRefill ?? now }
    let earned = min(now - last, Self.longestPause) * Self.perSecond / 1000
    guard earned > 0 else { return }
    lastRefill = now
    earn(Int(earned))
  }

  /// Returns false if the budget is used up.
  mutating func spend(_ cost: Cost) -> Bool {
    left -= cost.rawValue
    return left >= 0
  }

  mutating func earnResponse() { earn(Self.perResponse) }

  mutating func earnBytes(_ count: Int) {
    uncountedBytes += count
    earn(uncountedBytes / Self.bytesPerUpdate)
    uncountedBytes %= Self.bytesPerUpdate
  }

  private mutating func earn(_ count: Int) { left = min(Self.capacity, left + count) }
}
