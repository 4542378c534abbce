internal import CSQLite

extension Database {
  /// How many bytes the write-ahead log held after the last commit here.
  package var walBytes: Int {
    assertOnThread()
    return Int(walPages.pointee) * pageBytes
  }

  /// Moves what is left in a write-ahead log of more than `limit` bytes into the database, so that the next
  /// write begins it anew; `false` when there was nothing to move or somebody was in the way, then the next call
  /// tries again.
  ///
  /// Another thread moves most of it, but under load never the last commit: the log would grow for ever.
  @discardableResult
  package func checkpointIfLarge(limit: Int) -> Bool {
    guard walBytes > limit, !isInTransaction, checkpoint() else { return false }
    walPages.pointee = 0
    return true
  }

  /// Does so whatever its size: at the end of the program.
  @discardableResult
  package func emptyLog() -> Bool {
    assertOnThread()
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
  @discardableResult
  func checkpoint() -> Bool {
    assertOnThread()
    var (frames, moved) = (Int32(0), Int32(0))
    // A failure changes nothing: the log keeps what could not be moved for the next time.
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, &moved)
    return code == SQLITE_OK && frames == moved
  }
}
