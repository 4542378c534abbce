internal import CSQLite
internal import Glibc

/// A thread that checkpoints a file: it moves a large write-ahead log into the database, and waits for the
/// disk instead of the event loop. A class because it owns the thread.
package final class Checkpointer {
  private static let pauseMilliseconds: Int32 = 100
  /// A smaller log is not moved, in bytes. It is read again at the next start, at about 1 ms for each MiB.
  private static let smallLog = 1 << 20
  private let thread: pthread_t
  /// Orders for the thread, which waits at the other end of the pipe.
  private var orderEnd: Int32?

  /// The thread has its own connection to the file, beside that which writes. On a small disk, give a limit
  /// for the log, in bytes.
  package static func start(
    path: String, beside writer: Database, logLimit: Int = .max
  ) throws(DatabaseError) -> Checkpointer {
    try Checkpointer(path: path, writer, smallLog: min(smallLog, logLimit / 2))
  }

  private init(path: String, _ writer: Database, smallLog: Int) throws(DatabaseError) {
    let connection = try Database(.file(path: path), keepsLog: true)
    let restart = LogRestart()
    try writer.controlLog(by: restart)
    try connection.controlLog(by: restart)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure("cannot create a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let work = Unmanaged.passRetained(
      CheckpointWork(connection, restart, smallLog: smallLog, orderEnd: ends[0]))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { Checkpointer.run($0) }, work.toOpaque()) == 0 else {
      work.release()
      for end in ends { close(end) }
      throw Self.failure("cannot create a thread")
    }
    self.thread = thread
    self.orderEnd = ends[1]
  }

  deinit {
    stop()
  }

  /// Runs a last checkpoint, and waits for the thread to end.
  package func stop() {
    guard let orderEnd else { return }
    send(nil, to: orderEnd)
    pthread_join(thread, nil)
    close(orderEnd)
    self.orderEnd = nil
  }

  /// Moves the log now, waits until the disk has what was moved, and then calls `done` on its thread. If
  /// nothing was written meanwhile, the next commit starts the log again.
  package func moveLog(_ done: @escaping @Sendable () -> Void) {
    guard let orderEnd else { return done() }
    send(CheckpointOrder(done), to: orderEnd)
  }

  private func send(_ order: CheckpointOrder?, to end: Int32) {
    var pointer = order.map { Unmanaged.passRetained($0).toOpaque() }
    write(end, &pointer, MemoryLayout.size(ofValue: pointer))
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

/// To move the log at once. A class, because a pointer to it goes through the pipe.
private final class CheckpointOrder: Sendable {
  let done: @Sendable () -> Void

  init(_ done: @escaping @Sendable () -> Void) { self.done = done }
}

private final class CheckpointWork {
  /// A log that grows by so many bytes from one check of its size to the next is under load.
  private static let growthUnderLoad = 1 << 20
  private let connection: Database
  private let restart: LogRestart
  private let smallLog: Int
  private let orderEnd: Int32

  init(_ connection: Database, _ restart: LogRestart, smallLog: Int, orderEnd: Int32) {
    self.connection = connection
    self.restart = restart
    self.smallLog = smallLog
    self.orderEnd = orderEnd
  }

  /// Checkpoints the log at each order, until the order to stop. Between orders, it checkpoints a large log
  /// that is not under load: under load every pass would write the same pages again.
  func run(every milliseconds: Int32) {
    connection.moveToCurrentThread()
    var event = pollfd(fd: orderEnd, events: Int16(POLLIN), revents: 0)
    var earlierSize = 0
    while true {
      if poll(&event, 1, milliseconds) <= 0 {
        let size = restart.size
        if size > smallLog, size - earlierSize < Self.growthUnderLoad { connection.checkpoint() }
        earlierSize = size
      } else {
        let order = nextOrder()
        connection.checkpoint()
        connection.waitForMovedPages()
        guard let order else { break }
        order.done()
      }
    }
    close(orderEnd)
    connection.close()
  }

  /// Nil for the order to stop.
  private func nextOrder() -> CheckpointOrder? {
    var pointer: UnsafeMutableRawPointer?
    let size = MemoryLayout.size(ofValue: pointer)
    guard read(orderEnd, &pointer, size) == size, let pointer else { return nil }
    return Unmanaged<CheckpointOrder>.fromOpaque(pointer).takeRetainedValue()
  }
}

extension Database {
  /// The size of the write-ahead log after the last commit of this connection.
  package var walBytes: Int {
    assertOnThread()
    return Int(walPages.pointee) * pageBytes
  }

  /// Checkpoints a write-ahead log of more than `limit` bytes, so that the next write starts it again. Waits
  /// for the disk.
  ///
  /// The log starts again when the `Checkpointer` has moved all of it. Under full load it never gets to the
  /// last commit, so the log would grow forever. Returns `false` when there is nothing to do, or when a
  /// reader prevents it; then call it again later.
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
    let empty = {
      sqlite3_wal_checkpoint_v2(self.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }
    guard logRestart?.emptying(empty) ?? empty() else { return false }
    walPages.pointee = 0
    return true
  }

  fileprivate func waitForMovedPages() {
    assertOnThread()
    LogFile.waitForMovedPages(of: handle)
  }

  /// Moves the part of the log that no reader needs, without waiting for locks. Returns true for all of it;
  /// then the next write starts the log again, unless another came before.
  @discardableResult
  func checkpoint() -> Bool {
    assertOnThread()
    return LogFile.move(of: handle, logRestart)
  }
}
