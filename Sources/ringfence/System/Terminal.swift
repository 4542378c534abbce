import Glibc
import JSON

/// The environment variables of this process.
enum Environment {
  /// Nil if the variable is not set or empty.
  static subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  static var all: [String: String] {
    var all: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
      next += 1
    }
    return all
  }
}

/// What standard output and standard error are.
enum Terminal {
  /// True if people read standard output as it comes.
  static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// True if people read standard error as it comes.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }

  /// True if colours help: see https://no-color.org.
  static var hasColor: Bool {
    isInteractive && Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb"
  }

  /// The width of a line, in characters.
  static var width: Int {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? max(40, Int(size.ws_col)) : 80
  }
}

/// Standard output and error, unbuffered, so that readers of a pipe get each line at once. Control characters
/// are made visible.
enum Output {
  static func line(_ text: String) { write(Array("\(text.printable)\n".utf8), to: STDOUT_FILENO) }

  static func lines(_ lines: [String]) {
    if !lines.isEmpty { line(lines.joined(separator: "\n")) }
  }

  /// A document of JSON on one line.
  static func json(_ json: JSON) { self.json(json.encoded()) }

  static func json(_ document: [UInt8]) {
    write(document.printableJSON + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
  }

  /// For files and other programs, which get exactly these bytes.
  static func bytes(_ bytes: [UInt8]) {
    let shown = Terminal.isInteractive ? Array(String(decoding: bytes, as: UTF8.self).printable.utf8) : bytes
    write(shown, to: STDOUT_FILENO)
  }

  static func errorLine(_ text: String) { write(Array("\(text.printable)\n".utf8), to: STDERR_FILENO) }

  static func errorJSON(_ document: [UInt8]) {
    write(document.printableJSON + [UInt8(ascii: "\n")], to: STDERR_FILENO)
  }

  /// Stops silently if the reader has closed the pipe.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }
}

extension Int {
  /// `1 fault`, `2 faults`
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
