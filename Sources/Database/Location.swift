/// Where a database lives.
package enum Location: Sendable, Equatable {
  /// In this connection, gone with it.
  case memory
  /// In a file and its two companions `-wal` and `-shm`; made when it is missing.
  case file(path: String)
}

/// What a commit in a file outlives; a crash of this program it always does.
package enum Durability: Sendable {
  /// The last commits may be missing after a loss of power; the file stays sound.
  case normal
  /// Each commit waits for the disk.
  case full
}
