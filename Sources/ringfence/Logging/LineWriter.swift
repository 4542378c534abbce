import Glibc
import Logging
import Loop

/// Writes lines to a file or to standard output, on a thread of its own. Lines that come faster than they can
/// be written are dropped and counted.
///
/// ```
/// event loop: append ──> buffer ──end of the tick──> thread: write ──> event loop: the next buffer, if any
/// ```
/// A class because the thread calls back into it.
final class LineWriter {
  /// What waits beyond this is dropped, in bytes.
  private static let limit = 4 << 20
  /// How long the end of the program waits for a reader.
  private static let patience = Duration.seconds(2)

  private let loop: EventLoop
  private let file: ThreadConfined<File>
  private let log: Logger
  private let report: (_ dropped: Int) -> Void
  private var buffer: [UInt8] = []
  /// The number of lines in `buffer`, and in the buffer that is written now.
  private var waiting = 0, underWay = 0
  private var isWriting = false
  /// Lines that were dropped since the last report.
  private var dropped = 0
  private var hasFailed = false

  /// `path` is a file, which is created if needed, or `-`. `report` gets the number of lines that were lost.
  init(
    _ path: String, on loop: EventLoop, log: Logger, report: @escaping (_ dropped: Int) -> Void
  ) throws(LineWriter.Failure) {
    (self.loop, self.log, self.report) = (loop, log, report)
    do {
      file = try ThreadConfined(File(path))
    } catch {
      throw Failure(description: "--access-log: \(error)")
    }
  }

  struct Failure: Error, CustomStringConvertible, Sendable {
    let description: String
  }

  func append(_ line: [UInt8]) {
    guard buffer.count + line.count <= Self.limit else { return dropped += 1 }
    buffer += line
    waiting += 1
  }

  /// Call it at the end of each tick.
  func flush() {
    guard !isWriting, !buffer.isEmpty else { return }
    isWriting = true
    let chunk = buffer
    buffer.removeAll()
    (underWay, waiting) = (waiting, 0)
    let end = loop.callback { [weak self] (failure: Failure?) in self?.ended(failure) }
    file.post { end($0.write(chunk)) }
  }

  /// Opens the file of this name again, since the old one may have got another name.
  func reopen() {
    let log = log
    file.post { file in
      do throws(Failure) { try file.reopen() } catch { log.error("the access log stays as it is: \(error)") }
    }
  }

  /// Writes what is left.
  func close() {
    let chunk = buffer
    file.post { _ = $0.write(chunk) }
    file.stop(within: Self.patience)
  }

  private func ended(_ failure: Failure?) {
    isWriting = false
    if failure != nil { dropped += underWay }
    if let failure, !hasFailed { log.error("lines of the access log are lost: \(failure)") }
    hasFailed = failure != nil
    if dropped > 0 {
      if failure == nil {
        log.warning("the access log has lost \(dropped) lines: they came faster than they could be written")
      }
      report(dropped)
      dropped = 0
    }
    flush()
  }

  private struct File {
    private let path: String
    private var descriptor: Int32 = STDOUT_FILENO

    init(_ path: String) throws(Failure) {
      self.path = path
      try reopen()
    }

    mutating func reopen() throws(Failure) {
      guard path != "-" else { return }
      let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o640)
      guard opened >= 0 else { throw failure }
      if descriptor != STDOUT_FILENO { Glibc.close(descriptor) }
      descriptor = opened
    }

    /// Nil after success.
    func write(_ bytes: [UInt8]) -> Failure? {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return failure }
        rest = rest.dropFirst(count)
      }
      return nil
    }

    private var failure: Failure { Failure(description: "\(path): \(String(cString: strerror(errno)))") }
  }
}
