import Glibc

/// A small file that the system keeps, or that we keep in its place.
struct SystemFile {
  /// Where it is.
  let path: String

  init(_ path: String) { self.path = path }

  /// Whether there is one.
  var exists: Bool { access(path, F_OK) == 0 }

  /// What it holds; nil where it cannot be read.
  var text: String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes all of it at once, as the kernel asks of its own files; what is not there is made.
  func write(_ text: String, doing step: String) throws(IsolationError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw IsolationError(step) }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw IsolationError(step) }
  }
}
