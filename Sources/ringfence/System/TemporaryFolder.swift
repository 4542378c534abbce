import Glibc

/// A folder that nobody else may look into, for as long as the program runs.
struct TemporaryFolder {
  /// Where it is.
  let path: String

  /// Makes a new one where temporary files belong.
  init() throws(Files.Failure) {
    let parent = try Files.absolute(Environment["TMPDIR"] ?? "/tmp")
    var template = Array("\(parent)/ringfence-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Files.failure(parent) }
    path = String(cString: made)
  }

  /// Removes it with all that is in it.
  func remove() { Files.remove(path) }
}
