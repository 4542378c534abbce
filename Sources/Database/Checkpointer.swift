internal import CSQLite
internal import Glibc

/// A thread that moves the write-ahead log of a file into the database while the loop goes on, every 100 ms.
/// A class because it owns the thread.
package final class Checkpointer {
  private static let pauseMilliseconds: Int32 = 100
  private let thread: pthread_t
  /// Where `stop` writes a byte; the thread sleeps on the other end.
  private var stopEnd: Int32?

  /// Starts the thread, with its own connection to the file.
  package static func start(path: String) throws(DatabaseError) -> Checkpointer {
    try Checkpointer(path: path)
  }

  private init(path: String) throws(DatabaseError) {
    let connection = try Database(.file(path: path))
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.failure("no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let work = Unmanaged.passRetained(CheckpointWork(connection, wakeEnd: ends[0]))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { Checkpointer.run($0) }, work.toOpaque()) == 0 else {
      work.release()
      for end in ends { close(end) }
      throw Self.failure("no thread")
    }
    self.thread = thread
    self.stopEnd = ends[1]
  }

  deinit {
    stop()
  }

  /// Ends the thread after a last checkpoint and waits for it.
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
    // Retained for this thread, which alone uses it from here on.
    Unmanaged<CheckpointWork>.fromOpaque(argument).takeRetainedValue().run(every: pauseMilliseconds)
    return nil
  }
}

/// What the thread owns.
private final class CheckpointWork {
  private let connection: Database
  private let wakeEnd: Int32

  init(_ connection: Database, wakeEnd: Int32) {
    self.connection = connection
    self.wakeEnd = wakeEnd
  }

  /// Checkpoints after each pause until a byte arrives, and once more then.
  func run(every milliseconds: Int32) {
    connection.moveHere()
    var event = pollfd(fd: wakeEnd, events: Int16(POLLIN), revents: 0)
    while poll(&event, 1, milliseconds) <= 0 { connection.checkpoint() }
    connection.checkpoint()
    close(wakeEnd)
    connection.close()
  }
}
