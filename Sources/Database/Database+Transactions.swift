internal import CSQLite

/// Where the transaction of a tick stands.
enum Tick {
  /// None is open.
  case idle
  /// One is open, for every savepoint until the commit.
  case open
  /// SQLite gave it up for this reason, and with it all that the tick had written.
  case lost(DatabaseError)
}

extension Database {
  /// Whether a transaction is open.
  package var isInTransaction: Bool {
    assertOnThread()
    return sqlite3_get_autocommit(handle) == 0
  }

  /// Runs a body whose writes stay together: when it throws, they and only they are undone. The first savepoint
  /// of a tick opens the tick's transaction, which `commit` ends. Savepoints may nest.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    try enterSavepoint()
    let result: T
    do {
      result = try body()
    } catch {
      undoSavepoint()
      throw error
    }
    try leaveSavepoint()
    return result
  }

  /// Ends the tick's transaction, if one is open. When that fails, nothing of the whole tick is kept.
  package func commit() throws(DatabaseError) {
    assertOnThread()
    precondition(savepoints.open == 0, "a savepoint is still open")
    switch tick {
    case .idle: return
    case .lost(let error):
      tick = .idle
      throw error
    case .open:
      do throws(DatabaseError) {
        try runBeforeCommit()
        try run("COMMIT")
        tick = .idle
      } catch {
        if isInTransaction { try? run("ROLLBACK") }
        tick = .idle
        throw error
      }
    }
  }

  /// Tells SQLite of the savepoints that are open; they wait for the first write, because a reader needs none.
  func beginSavepoints() throws(DatabaseError) {
    if case .lost(let error) = tick { throw error }
    while savepoints.begun < savepoints.open {
      try run("SAVEPOINT request")
      savepoints.begun += 1
    }
  }

  /// Passes an error on, having noted when it cost the tick its transaction: SQLite rolls back by itself when the
  /// disk is full or broken.
  func noted(_ error: DatabaseError) -> DatabaseError {
    if case .open = tick, !isInTransaction { tick = .lost(error) }
    return error
  }

  private func enterSavepoint() throws(DatabaseError) {
    assertOnThread()
    switch tick {
    case .lost(let error): throw error
    case .open: break
    case .idle:
      try run("BEGIN")
      tick = .open
    }
    savepoints.open += 1
  }

  private func leaveSavepoint() throws(DatabaseError) {
    let wasBegun = endSavepoint()
    if case .lost(let error) = tick { throw error }
    guard wasBegun else { return }
    do throws(DatabaseError) {
      try run("RELEASE request")
    } catch {
      throw abandoned(error)
    }
  }

  private func undoSavepoint() {
    guard endSavepoint(), case .open = tick else { return }
    do throws(DatabaseError) {
      try run("ROLLBACK TO request")
      try run("RELEASE request")
    } catch {
      _ = abandoned(error)
    }
  }

  /// Counts the innermost savepoint as ended; whether SQLite had been told of it.
  private func endSavepoint() -> Bool {
    let wasBegun = savepoints.begun == savepoints.open
    savepoints.open -= 1
    if wasBegun { savepoints.begun -= 1 }
    return wasBegun
  }

  /// Gives up the tick, for what is neither kept nor undone must not be committed; returns why.
  private func abandoned(_ error: DatabaseError) -> DatabaseError {
    if isInTransaction { try? run("ROLLBACK") }
    tick = .lost(error)
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
