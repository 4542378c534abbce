import Glibc

/// Standard output and error, a whole line at a time, so that whoever reads a pipe gets it at once.
enum Output {
  /// Writes a line of what was asked for.
  static func line(_ text: String) { write(Array("\(text)\n".utf8), to: STDOUT_FILENO) }

  /// Writes what was asked for where it is no line.
  static func bytes(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

  /// Writes a line beside what was asked for.
  static func errorLine(_ text: String) { write(Array("\(text)\n".utf8), to: STDERR_FILENO) }

  /// Whoever closed the pipe does not want to hear more.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
