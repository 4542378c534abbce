internal import CSQLite
internal import Glibc

/// A connection to one SQLite database. Only the thread that created it may use it; every call checks that.
package final class Database {
  /// Called by `commit` inside the transaction, to save counters once per tick.
  package var beforeCommit: (() throws -> Void)?
  var tick = TickTransaction()
  var lateRows: [LateRow] = []
  /// The size of all values that writing statements had as parameters. It only grows.
  package internal(set) var writtenBytes = 0
  /// What an integer, a null or the place of a text counts for in sizes.
  static let integerBytes = 8

  /// How long a statement waits while another process locks the file.
  static let busyMilliseconds: Int32 = 1000
  /// `nil` after `close`.
  private var open: OpaquePointer?
  private var statements = StatementCache()
  var rowDeletions: [RowDeletion.Name: RowDeletion] = [:]
  private var thread = pthread_self()
  package let isInMemory: Bool
  private(set) var pageBytes = 4096
  /// The pages in the write-ahead log after the last commit. A pointer, because SQLite writes it.
  let walPages: UnsafeMutablePointer<Int32>
  private(set) var logRestart: LogRestart?
  /// False: the last connection to a file moves the log into the database when it is closed, and deletes it.
  package var keepsLog: Bool { didSet { noteIfLogIsKept() } }
  /// In use until the connection is closed.
  private var logCalls: [UnsafeMutableRawPointer] = []

  /// Opens a database, or creates it. Files use a write-ahead log without automatic checkpoints.
  package init(
    _ location: Location, durability: Durability = .normal, keepsLog: Bool = false
  ) throws(DatabaseError) {
    walPages = .allocate(capacity: 1)
    walPages.initialize(to: 0)
    self.keepsLog = keepsLog
    isInMemory = location == .memory
    open = try Self.open(location)
    noteIfLogIsKept()
    // Not `temp_store = MEMORY`: it would allocate the undo journal of each savepoint in pieces of 1 KiB.
    // Small pages: each commit writes whole ones, and most change little of one. Only a new file takes the
    // size.
    try execute(
      script: """
        PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
        PRAGMA page_size = 2048; PRAGMA cache_size = -1024; PRAGMA secure_delete = OFF
        """)
    switch location {
    case .file: try useWriteAheadLog(durability)
    // Nobody else can use it, so no commit need count in its header that it has changed.
    case .memory: try execute(script: "PRAGMA locking_mode = EXCLUSIVE")
    }
  }

  deinit {
    dropStatements()
    sqlite3_close_v2(open)
    walPages.deallocate()
    for calls in logCalls { calls.deallocate() }
  }

  private func noteIfLogIsKept() { _ = csqlite_keep_log(open, keepsLog ? 1 : 0) }

  /// Lets `restart` decide when the write-ahead log starts again. It is shared by all connections that use
  /// the log.
  func controlLog(by restart: LogRestart) throws(DatabaseError) {
    // SQLite opens the log with the first statement that reads.
    try execute(script: "PRAGMA schema_version")
    logRestart = restart
    logCalls = LogFile.control(handle, by: restart)
  }

  /// Closes the database. Writes that are not committed are lost.
  package func close() {
    assertOnThread()
    dropStatements()
    sqlite3_close_v2(open)
    open = nil
  }

  private func dropStatements() {
    statements.removeAll()
    rowDeletions = [:]
  }

  /// Moves the connection to the current thread. The former thread must not use it any more.
  package func moveToCurrentThread() {
    thread = pthread_self()
  }

  /// The number of rows changed by the last insert, update or delete.
  package var changes: Int {
    assertOnThread()
    return Int(sqlite3_changes64(handle))
  }

  /// Runs statements separated by semicolons, without parameters or results.
  package func execute(script: String) throws(DatabaseError) {
    assertOnThread()
    try writeLateRows()
    try startSavepoints()
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw recorded(DatabaseError(handle, code: code, sql: script)) }
  }

  /// The number of rows written since the database was opened.
  package var writtenRows: Int {
    assertOnThread()
    return Int(sqlite3_total_changes64(handle))
  }

  var handle: OpaquePointer {
    guard let open else { preconditionFailure("the database is closed") }
    return open
  }

  /// Traps on any other thread than the connection's.
  func assertOnThread() {
    precondition(pthread_equal(thread, pthread_self()) != 0, "the database is used from another thread")
  }

  /// The compiled statement for a text. If it is in use, the text is compiled again.
  func statement(_ text: StatementText) throws(DatabaseError) -> Statement {
    if let cached = statements.find(text.key) {
      return cached.isInUse ? try Statement(text, on: handle) : cached
    }
    let statement = try Statement(text, on: handle)
    statements.insert(statement)
    return statement
  }

  /// SQLite would count every allocation under a lock shared by all threads: a tenth of the time of a
  /// statement.
  private static let countsNoMemory = csqlite_stop_counting_memory() == SQLITE_OK

  /// The size of a database in memory, in bytes; no block that SQLite allocates is larger. It is full then,
  /// as a disk is.
  private static let maximumInMemory: sqlite3_int64 = 0x7FFF_0000

  private static func open(_ location: Location) throws(DatabaseError) -> OpaquePointer {
    let (path, special) =
      switch location {
      // Not ":memory:", whose commits look at all pages now and then: see Docs/Decisions.md, 0094.
      case .memory: ("file:memory?vfs=memdb", SQLITE_OPEN_URI)
      case .file(let path): (path, 0)
      }
    _ = countsNoMemory
    var handle: OpaquePointer?
    // One thread per connection: SQLite needs no locks of its own.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | special
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = DatabaseError(handle, code: code, sql: "")
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    var limit = maximumInMemory
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit)
    return handle
  }

  private func useWriteAheadLog(_ durability: Durability) throws(DatabaseError) {
    // Another process may have locked the file for a moment.
    sqlite3_busy_timeout(handle, Self.busyMilliseconds)
    try execute(
      script: """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")
        """)
    pageBytes = try first("PRAGMA page_size") { $0.int(0) } ?? pageBytes
    // The hook replaces the automatic checkpoint, which would delay a tick.
    sqlite3_wal_hook(
      handle,
      { pages, _, _, count in
        pages?.storeBytes(of: count, as: Int32.self)
        return SQLITE_OK
      }, walPages)
  }
}

package enum Location: Sendable, Equatable {
  /// In memory, deleted with the connection.
  case memory
  /// In a file and its companions `-wal` and `-shm`.
  case file(path: String)
}

/// How safe a commit to a file is. It always survives a crash of this program.
package enum Durability: Sendable {
  /// The last commits may be lost after a power failure. The file stays valid.
  case normal
  /// Each commit waits for the disk.
  case full
}
