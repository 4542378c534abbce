/// How often a sandbox has changed since the server's start.
struct ChangeCounts {
  /// Requests and due work, also those that wrote nothing.
  private(set) var transactions = 0
  private(set) var writes = 0
  private(set) var events = 0
  /// Transactions that wrote rows without an event.
  private(set) var quietWrites = 0

  mutating func countTransaction() { transactions += 1 }

  mutating func countWrite(hasEvents: Bool) {
    writes += 1
    if !hasEvents { quietWrites += 1 }
  }

  mutating func countEvent() { events += 1 }

  /// A counter begins with another number after each start of the server, so that clients notice it.
  static func first(afterStarts starts: Int) -> Int { (starts & 0xFFFFF) << 32 }
}

extension Sandbox {
  /// Grows with everything that may change the sandbox: requests, due work, results of webhooks, journal
  /// entries.
  package var changeCount: Int { changes.transactions &+ journal.recordCount }

  /// Grows with everything that has changed the sandbox, which reading does not.
  package var contentCount: Int { changes.writes &+ journal.recordCount &+ journal.clearCount }

  /// Grows with every change without an event, such as a move of the clock. Another start of the server, or
  /// another sandbox of this name, begins with another number.
  package var quietChanges: Int {
    (((id << 8 ^ starts) & 0x3FF_FFFF) << 20) &+ changes.quietWrites &+ journal.clearCount
  }

  /// A text that is another one after every change, in quotes as an entity tag.
  package var stateTag: String { "\"\(id)-\(starts)-\(changeCount)\"" }

  /// Call this for every row that is an event, and for every request that the journal gets.
  package func countEvent() { changes.countEvent() }

  /// Counts a change from outside, such as the removal.
  func markChanged() {
    changes.countTransaction()
    changes.countWrite(hasEvents: false)
  }
}
