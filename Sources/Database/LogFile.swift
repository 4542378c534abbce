internal import CSQLite
internal import Glibc

/// A file of an open connection whose calls of the file system ask a `LogRestart` first.
///
/// SQLite finds the calls by a pointer in its `sqlite3_file`. Here it points to a changed copy of them.
enum LogFile {
  /// The changed copy. SQLite reads `changed` only, so it must be the first member.
  private struct Calls {
    var changed: sqlite3_io_methods
    let original: sqlite3_io_methods
    let restart: Unmanaged<LogRestart>
  }

  /// The first four bytes of a log, in both byte orders of its checksums (walformat.html, 4.1).
  private static let marks: [UInt32] = [0x377f_0682, 0x377f_0683]
  /// The locks of the log in `xShmLock` (walformat.html, 2.3.1): that of the writer, and those of readers,
  /// which a writer that starts the log again takes all together.
  private static let writerLock: Int32 = 0
  private static let readerLocks: Int32 = 4

  /// After so many bytes of the database, the thread that moves the log offers its core to others. That is
  /// about half a millisecond of work. More often, it would come to no end beside a busy event loop.
  private static let bytesUntilYield: Int64 = 256 << 10

  /// Lets `restart` decide about the log of a connection. Returns what to deallocate after the connection is
  /// closed.
  static func control(_ connection: OpaquePointer, by restart: LogRestart) -> [UnsafeMutableRawPointer] {
    guard let log = file(SQLITE_FCNTL_JOURNAL_POINTER, of: connection),
      let database = file(SQLITE_FCNTL_FILE_POINTER, of: connection)
    else { return [] }
    if mark(of: log).map({ marks.contains(~$0) }) ?? false { restart.foundBrokenHeader() }
    let ofLog = change(log, restart) { calls in
      calls.xWrite = { file, bytes, count, offset in
        LogFile.willWrite(file, endingAt: Int(offset) &+ Int(count), isHeader: offset == 0)
          ?? LogFile.original(file).xWrite(file, bytes, count, offset)
      }
      calls.xSync = { file, flags in
        LogFile.restart(file).needsNoWait ? SQLITE_OK : LogFile.original(file).xSync(file, flags)
      }
    }
    let ofDatabase = change(database, restart) { calls in
      calls.xShmLock = { file, first, count, flags in LogFile.lock(file, first, count, flags) }
      // Pages are only written when the log is moved. On a machine with one core, the event loop goes on
      // between them.
      calls.xWrite = { file, bytes, count, offset in
        if offset & LogFile.bytesUntilYield - 1 == 0 { sched_yield() }
        return LogFile.original(file).xWrite(file, bytes, count, offset)
      }
    }
    return [ofLog, ofDatabase]
  }

  /// Waits for the disk until it has the pages that were moved. SQLite does so only when the log ends there,
  /// and would then wait for all of them.
  static func waitForMovedPages(of connection: OpaquePointer) {
    guard let database = file(SQLITE_FCNTL_FILE_POINTER, of: connection) else { return }
    // After a failure, SQLite waits for them again.
    _ = original(database).xSync(database, SQLITE_SYNC_NORMAL)
  }

  /// Moves the log into the database as far as no reader needs it, without waiting for locks. Returns true
  /// for all of it; then the log may start again.
  static func move(of connection: OpaquePointer, _ restart: LogRestart?) -> Bool {
    let ended = restart?.endedTransactions
    var (pages, moved) = (Int32(0), Int32(0))
    // After a failure, the log still has what could not be moved.
    let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &moved)
    guard code == SQLITE_OK, pages == moved else { return false }
    if let ended, let log = file(SQLITE_FCNTL_JOURNAL_POINTER, of: connection) {
      restart?.breakHeader(ifEnded: ended) {
        mark(of: log).map { marks.contains($0) && setMark(~$0, of: log) } ?? false
      } waitForDisk: {
        original(log).xSync(log, SQLITE_SYNC_NORMAL) == SQLITE_OK
      }
    }
    return true
  }

  // MARK: Changed calls

  /// Returns an error code, or nil to go on.
  private static func willWrite(
    _ file: UnsafeMutablePointer<sqlite3_file>?, endingAt end: Int, isHeader: Bool
  ) -> Int32? {
    guard !isHeader else {
      restart(file).willWriteHeader()
      return nil
    }
    let isReady = restart(file).willWritePage(endingAt: end) {
      file.flatMap { file in mark(of: file).map { marks.contains($0) || setMark(~$0, of: file) } } ?? false
    }
    return isReady ? nil : SQLITE_IOERR
  }

  private static func lock(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ first: Int32, _ count: Int32, _ flags: Int32
  ) -> Int32 {
    let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
    let isUnlock = flags & SQLITE_SHM_UNLOCK != 0
    if isExclusive, !isUnlock, first == readerLocks, count > 1, !restart(file).mayStartAgain {
      return SQLITE_BUSY
    }
    let isWriter = isExclusive && first == writerLock && count == 1
    if isWriter, !isUnlock { restart(file).beginTransaction() }
    let code = original(file).xShmLock(file, first, count, flags)
    if isWriter, isUnlock || code != SQLITE_OK { restart(file).endTransaction() }
    return code
  }

  // MARK: Access to SQLite's structures

  private static func file(_ kind: Int32, of connection: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>?
  {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, nil, kind, &file) == SQLITE_OK, file?.pointee.pMethods != nil
    else {
      return nil
    }
    return file
  }

  /// Makes SQLite use a changed copy of the file's calls, and returns the copy.
  private static func change(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ restart: LogRestart,
    _ change: (inout sqlite3_io_methods) -> Void
  ) -> UnsafeMutableRawPointer {
    let original = file.pointee.pMethods.pointee
    var changed = original
    change(&changed)
    let calls = UnsafeMutablePointer<Calls>.allocate(capacity: 1)
    calls.initialize(to: Calls(changed: changed, original: original, restart: .passUnretained(restart)))
    let memory = UnsafeMutableRawPointer(calls)
    file.pointee.pMethods = UnsafePointer(memory.assumingMemoryBound(to: sqlite3_io_methods.self))
    return memory
  }

  private static func calls(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafePointer<Calls> {
    guard let methods = file?.pointee.pMethods else { preconditionFailure("SQLite called a closed file") }
    return UnsafeRawPointer(methods).assumingMemoryBound(to: Calls.self)
  }

  private static func original(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
    calls(file).pointee.original
  }

  private static func restart(_ file: UnsafeMutablePointer<sqlite3_file>?) -> LogRestart {
    calls(file).pointee.restart._withUnsafeGuaranteedRef { $0 }
  }

  /// Nil for an empty file.
  private static func mark(of log: UnsafeMutablePointer<sqlite3_file>) -> UInt32? {
    var mark: UInt32 = 0
    let code = log.pointee.pMethods.pointee.xRead(log, &mark, Int32(MemoryLayout<UInt32>.size), 0)
    return code == SQLITE_OK ? UInt32(bigEndian: mark) : nil
  }

  private static func setMark(_ mark: UInt32, of log: UnsafeMutablePointer<sqlite3_file>) -> Bool {
    var bytes = mark.bigEndian
    return original(log).xWrite(log, &bytes, Int32(MemoryLayout<UInt32>.size), 0) == SQLITE_OK
  }
}
