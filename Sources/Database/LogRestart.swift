internal import CSQLite

/// Decides when the write-ahead log starts again at its beginning, so that no commit waits for the disk.
///
/// SQLite overwrites the old log in place, and waits for the disk after the new header. Otherwise a power
/// failure could leave the old header with a part of the old log, which would be copied over newer pages.
/// Here another thread breaks the old header before, and waits for the disk instead of the event loop.
///
/// ```
/// event loop:    commit ───────────────────────────────────────── commit: starts the log again
/// Checkpointer:         moves the log ─ breaks the header ─ waits
/// ```
/// A commit before the end of that wait repairs the header, and goes to the end of the old log. So a killed
/// process loses nothing.
///
/// `@unchecked Sendable`: every access to the state holds `lock`.
final class LogRestart: @unchecked Sendable {
  private enum Header {
    case intact
    case broken
    case brokenOnDisk
  }

  private let lock = sqlite3_mutex_alloc(SQLITE_MUTEX_FAST)
  private var header = Header.intact
  private var endOfLog = 0
  private var isInTransaction = false
  private var transactions = 0
  /// True between a new header and what follows it.
  private var headerNeedsNoWait = false
  private var isEmptying = false

  deinit { sqlite3_mutex_free(lock) }

  /// In bytes, without what is left of an older log behind it.
  var size: Int { locked { endOfLog } }

  // MARK: The connection that writes

  /// Call this before the file is used, if its header is broken: by a process that was killed.
  func foundBrokenHeader() { locked { header = .broken } }

  /// True if the next commit may overwrite the old log.
  var mayStartAgain: Bool { locked { header == .brokenOnDisk || isEmptying } }

  /// True if the commit need not wait for the header that it has written.
  var needsNoWait: Bool { locked { headerNeedsNoWait } }

  func beginTransaction() { locked { isInTransaction = true } }

  func endTransaction() {
    locked {
      isInTransaction = false
      transactions &+= 1
    }
  }

  func willWriteHeader() {
    locked {
      headerNeedsNoWait = header == .brokenOnDisk
      header = .intact
      endOfLog = 0
    }
  }

  /// Repairs the header first, if it is broken. Returns false if that fails.
  func willWritePage(endingAt end: Int, repair: () -> Bool) -> Bool {
    locked {
      headerNeedsNoWait = false
      endOfLog = max(endOfLog, end)
      guard header != .intact else { return true }
      guard repair() else { return false }
      header = .intact
      return true
    }
  }

  /// Lets `body` delete all of the log, which waits for the disk. It returns false if it fails; the log then
  /// keeps its header, broken or not.
  func emptying(_ body: () -> Bool) -> Bool {
    locked { isEmptying = true }
    let isEmpty = body()
    locked {
      isEmptying = false
      if isEmpty { header = .intact }
    }
    return isEmpty
  }

  // MARK: The thread that moves the log

  /// The number of transactions that have ended; nil while one is open, or if the log may start again
  /// already.
  var endedTransactions: Int? {
    locked { isInTransaction || header == .brokenOnDisk ? nil : transactions }
  }

  /// Breaks the header of a log that was moved completely, unless a transaction has begun since.
  func breakHeader(ifEnded count: Int, write: () -> Bool, waitForDisk: () -> Bool) {
    let isBroken = locked {
      guard !isInTransaction, transactions == count, write() else { return false }
      header = .broken
      return true
    }
    guard isBroken, waitForDisk() else { return }
    locked { if header == .broken, transactions == count { header = .brokenOnDisk } }
  }

  private func locked<T>(_ body: () -> T) -> T {
    sqlite3_mutex_enter(lock)
    defer { sqlite3_mutex_leave(lock) }
    return body()
  }
}
