import Glibc

/// What stands where in the file system, for this process and those that it starts.
struct Mounts {
  /// Places that are taken: what is mounted upon our own file keeps that from being removed.
  private var taken: Set<String> = []

  /// Keeps what follows from everybody else.
  init() throws(IsolationError) {
    guard mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else {
      throw IsolationError("parting the command's mounts from the machine's")
    }
  }

  /// Shows a file or folder of ours at another's place; the first that is shown there stays.
  mutating func show(_ source: String, at place: String) throws(IsolationError) {
    let step = "putting a file of our own over \(place)"
    guard let real = realpath(place, nil) else { throw IsolationError(step) }
    defer { free(real) }
    guard taken.insert(String(cString: real)).inserted else { return }
    guard mount(source, real, nil, UInt(MS_BIND), nil) == 0 else { throw IsolationError(step) }
  }

  /// The same, where there is something at that place.
  mutating func show(_ source: String, ifAnythingAt place: String) throws(IsolationError) {
    if SystemFile(place).exists { try show(source, at: place) }
  }
}
