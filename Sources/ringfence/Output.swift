import Glibc

/// Standard output, a whole line at a time, so that whoever reads a pipe gets it at once.
enum Output {
  /// Writes a line; whoever closed the pipe does not want to hear more.
  static func line(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
