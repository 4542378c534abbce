internal import CSQLite

/// The transaction that all requests of one tick of the event loop share.
///
/// ```
/// tick:  BEGIN ─ savepoint of request 1 ─ savepoint of request 2 ─ … ─ COMMIT
/// ```
/// Each request runs in a savepoint, so that a failed one can be undone alone. SQLite learns of a savepoint
/// only before the first write in it, because reading needs none.
///
/// One transaction per request would need no savepoints, but a write to the log for each request. SQLite can
/// roll back the whole transaction by itself, for example if the disk is full. Earlier requests of the tick
/// have then lost their writes too. So the loss is a state: later requests fail at once, and `commit` reports
/// the error for all of them.
struct TickTransaction {
  enum State {
    case none
    case open
    /// SQLite has rolled back the transaction, with everything that the tick had written.
    case lost(DatabaseError)
  }

  var state = State.none
  var openSavepoints = 0
  /// How many of the open savepoints SQLite knows; the outer ones first.
  var startedSavepoints = 0
}

/// Savepoints and commits.
extension Database {
  /// True if a transaction is open.
  package var isInTransaction: Bool {
    assertOnThread()
    return sqlite3_get_autocommit(handle) == 0
  }

  /// Runs `body`; when it throws, its writes are undone. The first savepoint of a tick opens the tick's
  /// transaction. Savepoints can be nested.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try enterSavepoint()
    let result: T
    do {
      result = try body()
      try writeLateRows()
    } catch {
      lateRows = []
      undoSavepoint()
      throw error
    }
    try leaveSavepoint()
    return result
  }

  /// Commits the tick's transaction, if one is open. When this fails, all writes of the tick are undone.
  package func commit() throws(DatabaseError) {
    assertOnThread()
    precondition(tick.openSavepoints == 0, "a savepoint is still open")
    switch tick.state {
    case .none: return
    case .lost(let error):
      tick.state = .none
      throw error
    case .open:
      do throws(DatabaseError) {
        try runBeforeCommit()
        try run("COMMIT")
        tick.state = .none
      } catch {
        if isInTransaction { try? run("ROLLBACK") }
        tick.state = .none
        throw error
      }
    }
  }

  /// Starts the open savepoints in SQLite, before a write.
  func startSavepoints() throws(DatabaseError) {
    if case .lost(let error) = tick.state { throw error }
    while tick.startedSavepoints < tick.openSavepoints {
      try run("SAVEPOINT request")
      tick.startedSavepoints += 1
    }
  }

  /// Returns an error after checking whether the tick's transaction is lost: SQLite rolls it back when the
  /// disk is full or fails.
  func recorded(_ error: DatabaseError) -> DatabaseError {
    if case .open = tick.state, !isInTransaction { tick.state = .lost(error) }
    return error
  }

  private func enterSavepoint() throws(DatabaseError) {
    assertOnThread()
    switch tick.state {
    case .lost(let error): throw error
    case .open: break
    case .none:
      try run("BEGIN")
      tick.state = .open
    }
    try writeLateRows()
    tick.openSavepoints += 1
  }

  private func leaveSavepoint() throws(DatabaseError) {
    let wasStarted = endSavepoint()
    if case .lost(let error) = tick.state { throw error }
    guard wasStarted else { return }
    do throws(DatabaseError) {
      try run("RELEASE request")
    } catch {
      throw abandoned(error)
    }
  }

  private func undoSavepoint() {
    guard endSavepoint(), case .open = tick.state else { return }
    do throws(DatabaseError) {
      try run("ROLLBACK TO request")
      try run("RELEASE request")
    } catch {
      _ = abandoned(error)
    }
  }

  /// Counts the innermost savepoint as ended. Returns true if SQLite had started it.
  private func endSavepoint() -> Bool {
    let wasStarted = tick.startedSavepoints == tick.openSavepoints
    tick.openSavepoints -= 1
    if wasStarted { tick.startedSavepoints -= 1 }
    return wasStarted
  }

  /// Rolls back the tick after a savepoint could be neither kept nor undone. Returns the error.
  private func abandoned(_ error: DatabaseError) -> DatabaseError {
    if isInTransaction { try? run("ROLLBACK") }
    tick.state = .lost(error)
    return error
  }

  private func runBeforeCommit() throws(DatabaseError) {
    do {
      try beforeCommit?()
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw DatabaseError(extendedCode: SQLITE_ABORT, message: "before the commit: \(error)", sql: "")
    }
  }
}
