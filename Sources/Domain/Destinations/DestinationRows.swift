import Database

/// The rows of a `DestinationIndex`.
package struct DestinationRows {
  /// They follow from other rows.
  package static let tables: Set = ["destinations", "destination_reach"]

  private static let pageSize = 32

  private let sandbox: Int
  private let database: Database

  init(of sandbox: Int, in database: Database) {
    self.sandbox = sandbox
    self.database = database
  }

  func insert(_ entry: DestinationEntry) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO destinations (sandbox, hash, ordinal, message_offset) VALUES (?, ?, ?, ?)
      ON CONFLICT (sandbox, hash, ordinal) DO UPDATE SET message_offset = excluded.message_offset
      WHERE excluded.message_offset > 0
      """, sandbox, Int(entry.hash), entry.ordinal, Int(entry.messageOffset))
  }

  // MARK: Search

  /// Calls `body` with pages of entries that may have records of a kind before an ordinal, until it returns
  /// false.
  func newestFirst(
    _ kind: DestinationEntry.Kind, of hash: DestinationHash, before ordinal: Int,
    _ body: ([DestinationEntry]) throws -> Bool
  ) throws {
    var before = ordinal
    while true {
      let page = try newest(kind, of: hash, before: before)
      guard try body(page), page.count == Self.pageSize, let last = page.last else { return }
      before = last.ordinal
    }
  }

  /// The same after an ordinal, up to another one, oldest first. Returns false if `body` did.
  func oldestFirst(
    _ kind: DestinationEntry.Kind, of hash: DestinationHash, after ordinal: Int, upTo reach: Int,
    _ body: ([DestinationEntry]) throws -> Bool
  ) throws -> Bool {
    guard ordinal < reach else { return true }
    // A message may have the entry of a verification before the ordinal.
    var next = max(ordinal + 1 - (kind == .message ? Int(UInt8.max) : 0), 0)
    while next <= reach {
      let page = try oldest(kind, of: hash, in: next...reach)
      guard try body(page) else { return false }
      guard page.count == Self.pageSize, let last = page.last else { break }
      next = last.ordinal + 1
    }
    return true
  }

  // One statement for messages: SQLite merges both parts, which are in order.

  private func newest(
    _ kind: DestinationEntry.Kind, of hash: DestinationHash, before ordinal: Int
  ) throws(DatabaseError) -> [DestinationEntry] {
    switch kind {
    case .verification:
      try database.all(
        """
        SELECT hash, ordinal, message_offset FROM destinations
        WHERE sandbox = ? AND hash = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT ?
        """, sandbox, Int(hash[.verification]), ordinal, Self.pageSize, read: Self.entry)
    case .message:
      try database.all(
        """
        SELECT hash, ordinal, message_offset FROM destinations
        WHERE sandbox = ?1 AND hash = ?2 AND ordinal < ?4 AND message_offset > 0
        UNION ALL SELECT hash, ordinal, message_offset FROM destinations
        WHERE sandbox = ?1 AND hash = ?3 AND ordinal < ?4 ORDER BY ordinal DESC LIMIT ?5
        """, sandbox, Int(hash[.verification]), Int(hash[.message]), ordinal, Self.pageSize,
        read: Self.entry)
    }
  }

  private func oldest(
    _ kind: DestinationEntry.Kind, of hash: DestinationHash, in ordinals: ClosedRange<Int>
  ) throws(DatabaseError) -> [DestinationEntry] {
    let (first, last) = (ordinals.lowerBound, ordinals.upperBound)
    return switch kind {
    case .verification:
      try database.all(
        """
        SELECT hash, ordinal, message_offset FROM destinations
        WHERE sandbox = ? AND hash = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal LIMIT ?
        """, sandbox, Int(hash[.verification]), first, last, Self.pageSize, read: Self.entry)
    case .message:
      try database.all(
        """
        SELECT hash, ordinal, message_offset FROM destinations
        WHERE sandbox = ?1 AND hash = ?2 AND ordinal BETWEEN ?4 AND ?5 AND message_offset > 0
        UNION ALL SELECT hash, ordinal, message_offset FROM destinations
        WHERE sandbox = ?1 AND hash = ?3 AND ordinal BETWEEN ?4 AND ?5 ORDER BY ordinal LIMIT ?6
        """, sandbox, Int(hash[.verification]), Int(hash[.message]), first, last, Self.pageSize,
        read: Self.entry)
    }
  }

  private static func entry(_ row: Row) -> DestinationEntry {
    DestinationEntry(
      hash: UInt32(truncatingIfNeeded: row.int(0)), ordinal: row.int(1),
      messageOffset: UInt8(truncatingIfNeeded: row.int(2)))
  }

  // MARK: Reach

  /// All records up to this ordinal have an entry.
  func reach() throws(DatabaseError) -> Int {
    try database.first("SELECT reach FROM destination_reach WHERE sandbox = ?", sandbox) { $0.int(0) } ?? 0
  }

  func saveReach(_ ordinal: Int) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO destination_reach (sandbox, reach) VALUES (?, ?)
      ON CONFLICT (sandbox) DO UPDATE SET reach = excluded.reach
      """, sandbox, ordinal)
  }

  /// The records after an ordinal, in order.
  func records(
    after ordinal: Int, limit: Int
  ) throws(DatabaseError) -> [(kind: DestinationEntry.Kind, ordinal: Int, hash: DestinationHash)] {
    try database.all(
      """
      SELECT ordinal, destination, 0, key FROM verifications WHERE key > ?1 AND key < ?2
      UNION ALL SELECT ordinal, destination, 1, key FROM messages WHERE key > ?1 AND key < ?2
      ORDER BY key LIMIT ?3
      """, RecordKey(sandbox, ordinal), RecordKey(sandbox, .max), limit
    ) { ($0.int(2) == 0 ? .verification : .message, $0.int(0), DestinationHash($0.text(1))) }
  }

  // MARK: Deleted records

  /// True if one of its records was not deleted.
  func haveRecord(of entry: DestinationEntry) throws(DatabaseError) -> Bool {
    try database.first(
      """
      SELECT EXISTS (SELECT 1 FROM verifications WHERE key = ?1)
        OR EXISTS (SELECT 1 FROM messages WHERE key = ?1 + ?2)
      """, RecordKey(sandbox, entry.ordinal), Int(entry.messageOffset)
    ) { $0.int(0) == 1 } ?? false
  }

  typealias Place = (hash: Int, ordinal: Int)

  /// Looks at the next `count` entries, and deletes those whose records were deleted. Most records before
  /// `start` were. Returns where it stopped; nil after the last entry.
  func sweep(_ count: Int, after last: Place?, before start: Int) throws(DatabaseError) -> Place? {
    let last = last ?? (hash: -1, ordinal: 0)
    let next = try database.all(
      """
      SELECT hash, ordinal, ordinal >= ?5
        OR EXISTS (SELECT 1 FROM verifications WHERE key = ?6 + destinations.ordinal)
        OR EXISTS (SELECT 1 FROM messages
          WHERE key = ?6 + destinations.ordinal + destinations.message_offset)
      FROM destinations WHERE sandbox = ?1 AND (hash, ordinal) > (?2, ?3) ORDER BY hash, ordinal LIMIT ?4
      """, sandbox, last.hash, last.ordinal, count, start, RecordKey(sandbox, 0)
    ) { (place: (hash: $0.int(0), ordinal: $0.int(1)), isNeeded: $0.int(2) == 1) }
    for entry in next where !entry.isNeeded {
      try database.run(
        "DELETE FROM destinations WHERE sandbox = ? AND hash = ? AND ordinal = ?", sandbox,
        entry.place.hash, entry.place.ordinal)
    }
    return next.count < count ? nil : next.last?.place
  }
}
