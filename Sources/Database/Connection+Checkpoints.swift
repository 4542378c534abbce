internal import CSQLite

extension Connection {
  /// How many bytes the write-ahead log held after the last commit here.
  package var walBytes: Int {
    assertHere()
    return Int(walPages.pointee) * pageBytes
  }

  /// Moves the whole write-ahead log into the database and empties its file once it is larger than `limit`
  /// bytes; `false` when there was nothing to move or a reader was in the way, then the next call tries again.
  @discardableResult
  package func checkpointIfLarge(limit: Int) -> Bool {
    guard walBytes > limit, !isInTransaction else { return false }
    return emptyLog()
  }

  /// Does so whatever its size: at the end of the program.
  @discardableResult
  package func emptyLog() -> Bool {
    assertHere()
    // Waiting for a reader would stall the loop.
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Self.busyMilliseconds) }
    guard sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else {
      return false
    }
    walPages.pointee = 0
    return true
  }

  /// Moves what no reader needs in the log any more, without waiting for anyone.
  func checkpoint() {
    assertHere()
    // A failure changes nothing: the log keeps what could not be moved for the next time.
    sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }
}
