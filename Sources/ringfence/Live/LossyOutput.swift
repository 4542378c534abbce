import Glibc

/// Standard output for lines that may be lost: a write never waits for the reader.
///
/// A class for its identity: it owns a descriptor.
final class LossyOutput {
  private let descriptor: Int32
  private let isOwn: Bool
  private var buffer: [UInt8] = []
  private var dropped = 0

  /// In bytes. Where more waits, lines are dropped.
  private static let limit = 16 << 10

  /// A terminal or pipe is opened again, because a flag of the shared descriptor would change it for other
  /// processes. Writes to files do not wait.
  init(_ shared: Int32 = STDOUT_FILENO) {
    var status = stat()
    let kind = fstat(shared, &status) == 0 ? status.st_mode & S_IFMT : 0
    let own =
      kind == S_IFCHR || kind == S_IFIFO
      ? open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
    descriptor = own >= 0 ? own : shared
    isOwn = own >= 0
  }

  deinit { if isOwn { close(descriptor) } }

  var isEmpty: Bool { buffer.isEmpty && dropped == 0 }

  var hasRoom: Bool { buffer.count < Self.limit }

  /// `line` has no control characters but for colours.
  func write(_ line: String) {
    guard hasRoom else { return drop(1) }
    noteDropped()
    buffer += Array("\(line)\n".utf8)
  }

  /// Counts lines that are not shown.
  func drop(_ lines: Int) { dropped += lines }

  /// Writes as much as the reader takes at once.
  func flush() {
    if buffer.isEmpty { noteDropped() }
    var sent = 0
    while sent < buffer.count, isReady(within: 0) {
      let count = buffer[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else {
        if errno != EAGAIN && errno != EINTR { sent = buffer.count }
        break
      }
      sent += count
    }
    buffer.removeFirst(sent)
  }

  /// Writes everything, for at most a second.
  func finish(_ lines: [String]) {
    for line in lines { buffer += Array("\(line.printable)\n".utf8) }
    for _ in 0..<10 where !isEmpty && isReady(within: 100) { flush() }
  }

  private func noteDropped() {
    guard dropped > 0 else { return }
    buffer += Array("… \(dropped.counted("line")) not shown: the terminal was slow\n".utf8)
    dropped = 0
  }

  /// `timeout` is in milliseconds.
  private func isReady(within timeout: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, timeout) > 0
  }
}
