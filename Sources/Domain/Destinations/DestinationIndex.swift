import Database

/// Finds the verifications and the messages of a destination.
///
/// ```
/// new record ──> open batch ──full──> sealed batch ──part by part, with commits──> rows of `destinations`
///                 in memory            in memory                                   in order of the hashes
/// ```
/// Numbers come in no order, so an index of SQLite would write another page for almost every record. Here a
/// batch of new entries is kept in memory, and merged into the rows in their order: then many entries share a
/// page. The rows say how far they reach, and a restart reads the newest records again.
///
/// An entry may name a record that was rolled back or deleted since, or one of another destination with the
/// same hash. So readers look at the record. In return, no rollback has to repair the index.
///
/// A class because it survives rollbacks.
final class DestinationIndex {
  /// The tables whose records have destinations.
  enum Kind: UInt64 { case verification, message }

  /// Its rows follow from other rows.
  static let tables: Set = ["destinations", "destination_reach"]

  /// The most entries in a batch: 0.75 MiB.
  static let batchSize = 1 << 15
  /// A sealed batch is sorted in so many parts, each of them a range of hashes. A step writes as many entries
  /// as a part has on average.
  private static let parts = 128

  private let database: Database
  private let sandbox: Int
  private let batchSize: Int
  /// Nil until read.
  private var state: State?

  /// The entries that are not in the rows yet.
  private struct State {
    /// All entries up to this ordinal are in the rows.
    var reach: Int
    var open = DestinationBatch()
    var sealed: Sealed?
    /// Entries up to this one were looked at for deleted records. Nil: begin with the first.
    var lastSwept: (hash: Int, ordinal: Int)?

    mutating func seal(at ordinal: Int) {
      sealed = Sealed(batch: open, end: ordinal)
      open = DestinationBatch()
    }
  }

  /// A full batch on its way into the rows.
  private struct Sealed {
    let batch: DestinationBatch
    /// The last ordinal of the batch.
    let end: Int
    /// The number of entries that were written.
    private(set) var written = 0
    private var sortedParts = 0
    /// The entries of the last sorted part that were not written yet. Records of one destination are all in
    /// one part.
    private var sorted: ArraySlice<DestinationBatch.Entry> = []

    init(batch: DestinationBatch, end: Int) {
      self.batch = batch
      self.end = end
    }

    var unwritten: Int { batch.count - written }

    /// The next entries in the order of hashes: at least one, unless there are no more.
    mutating func next(atMost limit: Int) -> ArraySlice<DestinationBatch.Entry> {
      while sorted.isEmpty, sortedParts < DestinationIndex.parts {
        sorted = batch.sorted(in: hashes(ofPart: sortedParts))[...]
        sortedParts += 1
      }
      return sorted.prefix(limit)
    }

    mutating func didWrite(_ count: Int) {
      sorted = sorted.dropFirst(count)
      written += count
    }

    private func hashes(ofPart part: Int) -> ClosedRange<UInt32> {
      let size = (1 << 31) / DestinationIndex.parts
      return UInt32(part * size)...UInt32((part + 1) * size - 1)
    }
  }

  init(of sandbox: Int, in database: Database, batchSize: Int = DestinationIndex.batchSize) {
    self.sandbox = sandbox
    self.database = database
    self.batchSize = batchSize
  }

  /// Forgets what is in memory. Call this after a commit that failed.
  func reload() { state = nil }

  /// Adds a record that was written in the open transaction.
  func add(_ kind: Kind, _ ordinal: Int, of destination: String) throws {
    // Read first: the rows have the new record already, and it must not be added twice.
    guard let written = state.map({ $0.sealed?.end ?? $0.reach }) else { return try load() }
    let hash = Self.hash(kind, destination)
    guard ordinal > written else { return try insert(ordinal, hash) }
    state?.open.add(ordinal, under: hash)
  }

  /// Calls `body` with the ordinals of a destination's records before an ordinal, newest first, until it
  /// returns false.
  func newestFirst(
    _ kind: Kind, of destination: String, before ordinal: Int = .max, _ body: (Int) throws -> Bool
  ) throws {
    let (hash, state) = (Self.hash(kind, destination), try loaded())
    func visit(_ batch: DestinationBatch) throws -> Bool {
      for found in batch.newestFirst(hash) where found < ordinal {
        guard try body(found) else { return false }
      }
      return true
    }
    guard try visit(state.open), try state.sealed.map({ try visit($0.batch) }) ?? true else { return }
    guard state.reach > 0 else { return }
    var before = min(ordinal, state.reach + 1)
    while true {
      let page = try ordinals(hash, before: before)
      for found in page {
        guard try body(found) else { return }
      }
      guard page.count == Self.pageSize, let last = page.last else { return }
      before = last
    }
  }

  /// The same after an ordinal, oldest first.
  func oldestFirst(
    _ kind: Kind, of destination: String, after ordinal: Int, _ body: (Int) throws -> Bool
  ) throws {
    let (hash, state) = (Self.hash(kind, destination), try loaded())
    var after = ordinal
    while after < state.reach {
      let page = try ordinals(hash, after: after, upTo: state.reach)
      for found in page {
        guard try body(found) else { return }
      }
      guard page.count == Self.pageSize, let last = page.last else { break }
      after = last
    }
    for batch in [state.sealed?.batch, state.open].compactMap(\.self) {
      for found in batch.newestFirst(hash).reversed() where found > ordinal {
        guard try body(found) else { return }
      }
    }
  }

  // MARK: Rows

  /// Writes some entries into the rows. Call this before each commit. `historyStart`: most records before it
  /// were deleted.
  func settle(newest ordinal: Int, historyStart: Int) throws {
    if let state, state.sealed == nil, state.open.count >= batchSize { self.state?.seal(at: ordinal) }
    // Twice as fast as new ones arrive, so it is done before the open batch is full. In steps of many
    // entries, because these share pages.
    let (due, step) = (2 * (state?.open.count ?? 0), max(batchSize / Self.parts, 1))
    while let sealed = state?.sealed, sealed.written + min(step, sealed.unwritten) <= due {
      guard let entries = state?.sealed?.next(atMost: step), !entries.isEmpty else {
        state?.sealed = nil
        state?.reach = sealed.end
        return try saveReach(sealed.end)
      }
      for entry in entries { try insert(entry.ordinal, entry.hash) }
      if historyStart > 1 { try sweep(2 * entries.count + 1, before: historyStart) }
      state?.sealed?.didWrite(entries.count)
    }
  }

  /// Writes entries of restored records into the rows, until a batch has room for the rest. Returns true if
  /// there are more.
  func writeOlder(than newest: Int) throws -> Bool {
    let reach = try savedReach()
    guard newest - reach > batchSize else { return false }
    let found = try records(after: reach, limit: 2000)
    guard let last = found.last else { return false }
    var batch = DestinationBatch()
    for record in found { batch.add(record.ordinal, under: record.hash) }
    for entry in batch.sorted() { try insert(entry.ordinal, entry.hash) }
    try saveReach(last.ordinal)
    reload()
    return true
  }

  private func loaded() throws -> State {
    if let state { return state }
    try load()
    return state ?? State(reach: 0)
  }

  private func load() throws {
    var state = State(reach: try savedReach())
    for record in try records(after: state.reach, limit: Int.max) {
      state.open.add(record.ordinal, under: record.hash)
    }
    self.state = state
  }

  /// The same in every process, because rows have it. 31 bits, for which SQLite needs four bytes.
  private static func hash(_ kind: Kind, _ destination: String) -> UInt32 {
    UInt32(truncatingIfNeeded: Entropy.fold(destination, kind.rawValue)) >> 1
  }

  // MARK: Statements

  private static let pageSize = 32

  private func ordinals(_ hash: UInt32, before ordinal: Int) throws(DatabaseError) -> [Int] {
    try database.all(
      """
      SELECT ordinal FROM destinations WHERE sandbox = ? AND hash = ? AND ordinal < ?
      ORDER BY ordinal DESC LIMIT ?
      """, sandbox, Int(hash), ordinal, Self.pageSize
    ) { $0.int(0) }
  }

  private func ordinals(
    _ hash: UInt32, after ordinal: Int, upTo reach: Int
  ) throws(DatabaseError) -> [Int] {
    try database.all(
      """
      SELECT ordinal FROM destinations WHERE sandbox = ? AND hash = ? AND ordinal > ? AND ordinal <= ?
      ORDER BY ordinal LIMIT ?
      """, sandbox, Int(hash), ordinal, reach, Self.pageSize
    ) { $0.int(0) }
  }

  private func insert(_ ordinal: Int, _ hash: UInt32) throws(DatabaseError) {
    try database.run(
      "INSERT OR IGNORE INTO destinations (sandbox, hash, ordinal) VALUES (?, ?, ?)", sandbox, Int(hash),
      ordinal)
  }

  /// The records after an ordinal, in order.
  private func records(
    after ordinal: Int, limit: Int
  ) throws(DatabaseError) -> [(ordinal: Int, hash: UInt32)] {
    try database.all(
      """
      SELECT ordinal, destination, 0, key FROM verifications WHERE key > ?1 AND key < ?2
      UNION ALL SELECT ordinal, destination, 1, key FROM messages WHERE key > ?1 AND key < ?2
      ORDER BY key LIMIT ?3
      """, RecordKey(sandbox, ordinal), RecordKey(sandbox, .max), limit
    ) { ($0.int(0), Self.hash($0.int(2) == 0 ? .verification : .message, $0.text(1))) }
  }

  private func savedReach() throws(DatabaseError) -> Int {
    try database.first("SELECT reach FROM destination_reach WHERE sandbox = ?", sandbox) { $0.int(0) } ?? 0
  }

  private func saveReach(_ ordinal: Int) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO destination_reach (sandbox, reach) VALUES (?, ?)
      ON CONFLICT (sandbox) DO UPDATE SET reach = excluded.reach
      """, sandbox, ordinal)
  }

  /// Looks at the next `count` entries, and deletes those whose records were deleted.
  private func sweep(_ count: Int, before start: Int) throws(DatabaseError) {
    let last = state?.lastSwept ?? (hash: -1, ordinal: 0)
    let next = try database.all(
      """
      SELECT hash, ordinal, ordinal >= ?5
        OR EXISTS (SELECT 1 FROM verifications WHERE key = ?6 + destinations.ordinal)
        OR EXISTS (SELECT 1 FROM messages WHERE key = ?6 + destinations.ordinal)
      FROM destinations WHERE sandbox = ?1 AND (hash, ordinal) > (?2, ?3) ORDER BY hash, ordinal LIMIT ?4
      """, sandbox, last.hash, last.ordinal, count, start, RecordKey(sandbox, 0)
    ) { (hash: $0.int(0), ordinal: $0.int(1), isNeeded: $0.int(2) == 1) }
    for entry in next where !entry.isNeeded {
      try database.run(
        "DELETE FROM destinations WHERE sandbox = ? AND hash = ? AND ordinal = ?", sandbox, entry.hash,
        entry.ordinal)
    }
    state?.lastSwept = next.count < count ? nil : next.last.map { ($0.hash, $0.ordinal) }
  }
}
