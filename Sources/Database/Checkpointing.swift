internal import CSQLite
internal import Glibc

/// A thread that checkpoints a file every 100 ms: it moves the write-ahead log into the database, without blocking the
/// event loop. A class because it owns the thread.
package final class Checkpointer {
  private static let pauseMilliseconds: Int32 = 100
  private let thread: pthread_t
  /// `stop` writes a byte to it; the thread waits at the other end of the pipe.
  private var stopEnd: Int32?

  /// The thread has its own connection to the file.
  package static func start(path: String) throws(DatabaseError) -> Checkpointer {
    try Checkpointer(path: path)
  }

  private init(path: String) throws(DatabaseError) {
    let connection = try Database(.file(path: path))
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure("cannot create a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let work = Unmanaged.passRetained(CheckpointWork(connection, wakeEnd: ends[0]))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { Checkpointer.run($0) }, work.toOpaque()) == 0 else {
      work.release()
      for end in ends { close(end) }
      throw Self.failure("cannot create a thread")
    }
    self.thread = thread
    self.stopEnd = ends[1]
  }

  deinit {
    stop()
  }

  /// Runs a last checkpoint, and waits for the thread to end.
  package func stop() {
    guard let stopEnd else { return }
    var byte: UInt8 = 0
    write(stopEnd, &byte, 1)
    pthread_join(thread, nil)
    close(stopEnd)
    self.stopEnd = nil
  }

  private static func failure(_ message: String) -> DatabaseError {
    DatabaseError(extendedCode: SQLITE_CANTOPEN, message: message, sql: "")
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Retained for this thread, which is now its only user.
    Unmanaged<CheckpointWork>.fromOpaque(argument).takeRetainedValue().run(every: pauseMilliseconds)
    return nil
  }
}

private final class CheckpointWork {
  private let connection: Database
  private let wakeEnd: Int32

  init(_ connection: Database, wakeEnd: Int32) {
    self.connection = connection
    self.wakeEnd = wakeEnd
  }

  /// Checkpoints after each pause until a byte arrives, then once more.
  func run(every milliseconds: Int32) {
    connection.moveToCurrentThread()
    var event = pollfd(fd: wakeEnd, events: Int16(POLLIN), revents: 0)
    while poll(&event, 1, milliseconds) <= 0 { connection.checkpoint() }
    connection.checkpoint()
    close(wakeEnd)
    connection.close()
  }
}

extension Database {
  /// The size of the write-ahead log after the last commit of this connection.
  package var walBytes: Int {
    assertOnThread()
    return Int(walPages.pointee) * pageBytes
  }

  /// Checkpoints a write-ahead log of more than `limit` bytes, so that the next write starts it again.
  ///
  /// The `Checkpointer` moves most of the log. But under load it never gets to the last commit, so the log would grow
  /// forever. Returns `false` when there is nothing to do, or when a reader prevents it; then call it again later.
  @discardableResult
  package func checkpointIfLarge(limit: Int) -> Bool {
    guard walBytes > limit, !isInTransaction, checkpoint() else { return false }
    walPages.pointee = 0
    return true
  }

  /// Checkpoints and truncates the log, at the end of the program.
  @discardableResult
  package func emptyLog() -> Bool {
    assertOnThread()
    // Waiting for a reader would block the event loop.
    sqlite3_busy_timeout(handle, 0)
    defer { sqlite3_busy_timeout(handle, Self.busyMilliseconds) }
    guard sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else {
      return false
    }
    walPages.pointee = 0
    return true
  }

  /// Moves the part of the log that no reader needs, without waiting.
  @discardableResult
  func checkpoint() -> Bool {
    assertOnThread()
    var (frames, moved) = (Int32(0), Int32(0))
    // After a failure, the log still has what could not be moved.
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, &moved)
    return code == SQLITE_OK && frames == moved
  }
}
