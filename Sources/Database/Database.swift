internal import CSQLite
internal import Glibc

/// A connection to one SQLite database. A class because it owns one; confined to the thread that made it, which
/// every call checks.
@usableFromInline
package final class Database {
  /// Called by `commit` inside the transaction, so that counters are written once per tick.
  package var beforeCommit: (() throws -> Void)?
  /// Where the tick's transaction stands.
  var tick = Tick.idle
  /// How many savepoints are open, and for how many of these SQLite was told so.
  var savepoints = (open: 0, begun: 0)

  /// How long a statement waits for another process that holds the file.
  static let busyMilliseconds: Int32 = 1000
  /// SQLite's own object; `nil` once closed.
  private var open: OpaquePointer?
  private var statements = StatementCache()
  private var thread = pthread_self()
  /// How many bytes a page of the database has.
  private(set) var pageBytes = 4096
  /// How many pages the write-ahead log held after the last commit; SQLite writes it, so it needs an address.
  let walPages: UnsafeMutablePointer<Int32>

  /// Opens a database, making it where it is missing. A file is written through a write-ahead log that only
  /// checkpoints asked for empty.
  package init(_ location: Location, durability: Durability = .normal) throws(DatabaseError) {
    walPages = .allocate(capacity: 1)
    walPages.initialize(to: 0)
    open = try Self.open(location)
    // Not `temp_store = MEMORY`: it would take the memory of each savepoint's undo journal in pieces of 1 KiB.
    try execute(
      script: """
        PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
        PRAGMA cache_size = -1024; PRAGMA secure_delete = OFF
        """)
    if case .file = location { try useWriteAheadLog(durability) }
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(open)
    walPages.deallocate()
  }

  /// Closes the database and gives back its files; what is not committed is lost.
  package func close() {
    assertOnThread()
    statements.removeAll()
    sqlite3_close_v2(open)
    open = nil
  }

  /// Confines the connection to the current thread from now on; the caller sees to it that the former one is
  /// done with it.
  package func moveHere() {
    thread = pthread_self()
  }

  /// How many rows the last insert, update or delete changed.
  package var changes: Int {
    assertOnThread()
    return Int(sqlite3_changes64(handle))
  }

  /// Runs statements separated by semicolons that take and give no values.
  package func execute(script: String) throws(DatabaseError) {
    assertOnThread()
    try beginSavepoints()
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw noted(DatabaseError(handle, code: code, sql: script)) }
  }

  /// SQLite's own object.
  var handle: OpaquePointer {
    guard let open else { preconditionFailure("the database is closed") }
    return open
  }

  /// Stops the program when this is not the thread the connection is confined to.
  func assertOnThread() {
    precondition(pthread_equal(thread, pthread_self()) != 0, "the database is used from another thread")
  }

  /// A statement compiled from this text that nobody uses; a text met inside its own rows is compiled again.
  func statement(_ sql: StaticString) throws(DatabaseError) -> Statement {
    if let known = statements.find(sql) {
      return known.isInUse ? try Statement(sql, on: handle) : known
    }
    let statement = try Statement(sql, on: handle)
    statements.insert(statement)
    return statement
  }

  /// Counting every allocation under a lock shared by all threads would take a tenth of a statement's time.
  private static let countsNoMemory = csqlite_stop_counting_memory() == SQLITE_OK

  private static func open(_ location: Location) throws(DatabaseError) -> OpaquePointer {
    let path =
      switch location {
      case .memory: ":memory:"
      case .file(let path): path
      }
    _ = countsNoMemory
    var handle: OpaquePointer?
    // One thread per connection: SQLite needs no locks of its own.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = DatabaseError(handle, code: code, sql: "")
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    return handle
  }

  private func useWriteAheadLog(_ durability: Durability) throws(DatabaseError) {
    // Another process may look into the file; it is waited for, not failed on.
    sqlite3_busy_timeout(handle, Self.busyMilliseconds)
    try execute(
      script: "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
    pageBytes = try first("PRAGMA page_size") { $0.int(0) } ?? pageBytes
    // The hook takes the place of the automatic checkpoint, which would stall a tick.
    sqlite3_wal_hook(
      handle,
      { pages, _, _, count in
        pages?.storeBytes(of: count, as: Int32.self)
        return SQLITE_OK
      }, walPages)
  }
}
