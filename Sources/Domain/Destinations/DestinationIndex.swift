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
/// A database in memory has no restart, so its index has no rows: a tenth of the time of a request. Its batch
/// is never sealed, and forgets entries whose records are deleted.
///
/// An entry may name a record that was rolled back or deleted since, or one of another destination with the
/// same hash. So readers look at the record. In return, no rollback has to repair the index.
///
/// A class because it survives rollbacks.
package final class DestinationIndex {
  typealias Kind = DestinationEntry.Kind

  /// A batch is sealed at the first commit with so many entries: 0.6 MiB.
  static let batchSize = 1 << 14
  /// A sealed batch is written in so many steps. With more of them, fewer entries of a step share a page.
  private static let steps = 256

  private let rows: DestinationRows
  private let batchSize: Int
  private let writesRows: Bool
  /// Without rows: the last restored record that has an entry.
  private var restored = 0
  /// So many restored records get their entries in one step.
  private static let restoredAtOnce = 2_000
  /// Without rows: a commit looks for the records of so many entries.
  private static let checkedAtOnce = 256
  /// Nil until read.
  private var state: State?

  /// The entries that are not in the rows yet.
  private struct State {
    /// All entries up to this ordinal are in the rows.
    var reach: Int
    var open = DestinationBatch()
    var sealed: Sealed?
    /// Entries up to this one were looked at for deleted records. Nil: begin with the first.
    var lastSwept: DestinationRows.Place?
    /// Without rows: the search that is in progress, and the number of entries after the last one.
    var purge: Purge?
    var countAfterPurge = 0

    mutating func seal(at ordinal: Int) {
      sealed = Sealed(batch: open, end: ordinal)
      open = DestinationBatch()
    }
  }

  /// A full batch on its way into the rows.
  private struct Sealed {
    private(set) var batch: DestinationBatch
    /// The last ordinal of the batch.
    let end: Int
    /// The number of entries that were written.
    private(set) var written = 0
    private var sortedParts = 0
    /// The entries of the last sorted part that were not written yet. Records of one destination are all in
    /// one part.
    private var sorted: ArraySlice<DestinationEntry> = []

    init(batch: DestinationBatch, end: Int) {
      self.batch = batch
      self.end = end
    }

    var unwritten: Int { batch.count - written }

    /// The next entries in the order of hashes: at least one, unless there are no more.
    mutating func next(atMost limit: Int) -> ArraySlice<DestinationEntry> {
      while sorted.isEmpty, sortedParts < DestinationBatch.parts {
        sorted = batch.sorted(part: sortedParts)[...]
        sortedParts += 1
      }
      return sorted.prefix(limit)
    }

    mutating func didWrite(_ count: Int) {
      sorted = sorted.dropFirst(count)
      written += count
    }
  }

  /// A search for entries of deleted records, part by part of the open batch.
  private struct Purge {
    /// Most records before this ordinal were deleted.
    let historyStart: Int
    var part = 0
    /// The number of entries of the part that were checked.
    var checked = 0
    /// Those of them that still have a record.
    var needed: [DestinationEntry] = []
  }

  /// `writesRows`: nil for those of a file only.
  init(
    of sandbox: Int, in database: Database, batchSize: Int = DestinationIndex.batchSize,
    writesRows: Bool? = nil
  ) {
    rows = DestinationRows(of: sandbox, in: database)
    self.batchSize = batchSize
    self.writesRows = writesRows ?? !database.isInMemory
  }

  /// Forgets what is in memory. Call this after a commit that failed.
  func reload() { state = nil }

  /// Adds a record that was written in the open transaction.
  func add(_ kind: Kind, _ ordinal: Int, of destination: String) throws {
    // Read first: the rows have the new record already, and it must not be added twice.
    guard state != nil else { return try load() }
    state?.open.add(kind, ordinal, under: DestinationHash(destination))
  }

  /// Calls `body` with the ordinals of a destination's records before an ordinal, newest first, until it
  /// returns false.
  func newestFirst(
    _ kind: Kind, of destination: String, before ordinal: Int = .max, _ body: (Int) throws -> Bool
  ) throws {
    let (hash, state) = (DestinationHash(destination), try loaded())
    var last = ordinal
    func visit(_ entries: some Sequence<DestinationEntry>) throws -> Bool {
      for entry in entries {
        guard let found = entry.ordinal(of: kind), found < last else { continue }
        last = found
        guard try body(found) else { return false }
      }
      return true
    }
    guard try visit(state.open.newestFirst(kind, of: hash)) else { return }
    if let batch = state.sealed?.batch {
      guard try visit(batch.newestFirst(kind, of: hash)) else { return }
    }
    guard state.reach > 0 else { return }
    try rows.newestFirst(kind, of: hash, before: min(ordinal, state.reach + 1), visit)
  }

  /// The same after an ordinal, oldest first.
  func oldestFirst(
    _ kind: Kind, of destination: String, after ordinal: Int, _ body: (Int) throws -> Bool
  ) throws {
    let (hash, state) = (DestinationHash(destination), try loaded())
    var last = ordinal
    func visit(_ entries: some Sequence<DestinationEntry>) throws -> Bool {
      for entry in entries {
        guard let found = entry.ordinal(of: kind), found > last else { continue }
        last = found
        guard try body(found) else { return false }
      }
      return true
    }
    guard try rows.oldestFirst(kind, of: hash, after: ordinal, upTo: state.reach, visit) else { return }
    for batch in [state.sealed?.batch, state.open].compactMap(\.self) {
      guard try visit(batch.newestFirst(kind, of: hash).reversed()) else { return }
    }
  }

  /// Writes some entries into the rows. Call this before each commit. `historyStart`: most records before it
  /// were deleted.
  func settle(newest ordinal: Int, historyStart: Int) throws {
    guard writesRows else { return try purge(before: historyStart) }
    if let state, state.sealed == nil, state.open.count >= batchSize { self.state?.seal(at: ordinal) }
    // Twice as fast as new ones arrive, so it is done before the open batch is full.
    let (due, step) = (2 * (state?.open.count ?? 0), max(batchSize / Self.steps, 1))
    while let sealed = state?.sealed, sealed.written + min(step, sealed.unwritten) <= due {
      guard let entries = state?.sealed?.next(atMost: step), !entries.isEmpty else {
        state?.sealed = nil
        state?.reach = sealed.end
        return try rows.saveReach(sealed.end)
      }
      for entry in entries { try rows.insert(entry) }
      if historyStart > 1 {
        let last = state?.lastSwept
        state?.lastSwept = try rows.sweep(2 * entries.count + 1, after: last, before: historyStart)
      }
      state?.sealed?.didWrite(entries.count)
    }
  }

  /// Forgets some entries of deleted records. A search begins when there are half as many entries again as
  /// after the last one.
  private func purge(before historyStart: Int) throws {
    guard var state, state.purge != nil || state.open.count > max(batchSize, state.countAfterPurge * 3 / 2)
    else { return }
    var purge = state.purge ?? Purge(historyStart: historyStart)
    // No other reference is left, so nothing of a long search or batch is copied.
    state.purge = nil
    self.state = nil
    defer { self.state = state }
    let next = state.open.oldest(of: purge.part, after: purge.checked, limit: Self.checkedAtOnce)
      .prefix { $0.ordinal < purge.historyStart }
    purge.checked += next.count
    purge.needed += try next.filter(rows.haveRecord)
    if next.count < Self.checkedAtOnce {
      if purge.needed.count < purge.checked {
        state.open.replaceOldest(purge.checked, of: purge.part, by: purge.needed)
      }
      purge = Purge(historyStart: purge.historyStart, part: purge.part + 1)
    }
    if purge.part < DestinationBatch.parts {
      state.purge = purge
    } else {
      state.countAfterPurge = state.open.count
    }
  }

  /// Adds entries of restored records. With rows, it writes them until a batch has room for the rest. Returns
  /// true if there are more.
  package func addRestored(upTo newest: Int) throws -> Bool {
    let reach = writesRows ? try rows.reach() : restored
    guard !writesRows || newest - reach > batchSize else { return false }
    let records = try rows.records(after: reach, limit: Self.restoredAtOnce)
    guard let last = records.last else { return false }
    guard writesRows else {
      if state == nil { state = State(reach: 0) }
      for record in records { state?.open.add(record.kind, record.ordinal, under: record.hash) }
      restored = last.ordinal
      return true
    }
    var batch = DestinationBatch()
    for record in records { batch.add(record.kind, record.ordinal, under: record.hash) }
    for entry in batch.sorted { try rows.insert(entry) }
    try rows.saveReach(last.ordinal)
    reload()
    return true
  }

  private func loaded() throws -> State {
    if let state { return state }
    try load()
    return state ?? State(reach: 0)
  }

  private func load() throws {
    var state = State(reach: try rows.reach())
    for record in try rows.records(after: state.reach, limit: Int.max) {
      state.open.add(record.kind, record.ordinal, under: record.hash)
    }
    self.state = state
  }
}
