import Glibc

/// The file system, as far as the program needs it.
enum Files {
  /// A file or folder that could not be read, and why.
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let reason: String

    /// The sentence for whoever started the program.
    var description: String { "\(path): \(reason)" }
  }

  /// The bytes of a file, of which no more than `limit` are read, give or take a piece.
  static func read(_ path: String, limit: Int = .max) throws(Failure) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw failure(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    guard ferror(file) == 0 else { throw failure(path) }
    return bytes
  }

  /// The names in a folder, sorted, without those that begin with a dot.
  static func names(in folder: String) throws(Failure) -> [String] {
    try entries(of: folder).filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func entries(of folder: String) throws(Failure) -> [String] {
    guard let directory = opendir(folder) else { throw failure(folder) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }

  /// Whether a path is a folder.
  static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// What stands at a path, by the system's number for its kind; nil where nothing does.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The path of what is there, from the root and without detours.
  static func absolute(_ path: String) throws(Failure) -> String {
    guard let found = realpath(path, nil) else { throw failure(path) }
    defer { free(found) }
    return String(cString: found)
  }

  /// Makes a folder where there is none; only its owner may look into it.
  static func makeFolder(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
  }

  /// Makes a folder and those above it where there are none.
  static func makeFolders(_ path: String) throws(Failure) {
    let parts = path.split(separator: "/")
    for count in 1...max(1, parts.count) {
      let folder = (path.hasPrefix("/") ? "/" : "") + parts.prefix(count).joined(separator: "/")
      if !isFolder(folder) { try makeFolder(folder) }
    }
  }

  /// Writes a file, whole or not at all; `isSecret`: nobody but its owner may look into it.
  static func write(_ text: String, to path: String, isSecret: Bool = false) throws(Failure) {
    try write(Array(text.utf8), to: path, isSecret: isSecret)
  }

  /// Writes a file, whole or not at all; `isSecret`: nobody but its owner may look into it. A link is followed, and
  /// what is no file, such as a device or a pipe, is written to where it is.
  static func write(_ bytes: [UInt8], to path: String, isSecret: Bool = false) throws(Failure) {
    if let kind = kind(of: path), kind != S_IFREG, kind != S_IFDIR {
      return try put(bytes, in: path, O_WRONLY)
    }
    let place = (try? absolute(path)) ?? path
    let draft = "\(place).\(getpid())"
    // One that was left here by a program of our number is not ours: others may look into it.
    unlink(draft)
    do throws(Failure) {
      try put(bytes, in: draft, O_WRONLY | O_CREAT | O_EXCL, mode: isSecret ? 0o600 : 0o644)
      guard rename(draft, place) == 0 else { throw failure(path) }
    } catch {
      unlink(draft)
      throw Failure(path: path, reason: error.reason)
    }
  }

  private static func put(
    _ bytes: [UInt8], in path: String, _ flags: Int32, mode: mode_t = 0
  ) throws(Failure) {
    let file = open(path, flags | O_CLOEXEC, mode)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw failure(path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Keeps others out of a folder for as long as this process lives: two writers would undo each other's work.
  static func lock(_ folder: String) throws(Failure) {
    let path = "\(folder)/lock"
    let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(path: folder, reason: "another ringfence is at work here")
    }
  }

  /// Waits until no other program has its turn at a file, and takes it.
  static func turn(_ path: String) throws(Failure) -> Turn {
    let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { throw failure(path) }
    return Turn(file: file)
  }

  /// What one program at a time has.
  struct Turn {
    fileprivate let file: Int32

    /// Leaves it to the next.
    func end() { close(file) }
  }

  /// Removes a file, or a folder with all that is in it; what cannot be removed stays.
  static func remove(_ path: String) {
    guard Glibc.remove(path) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
    for name in (try? entries(of: path)) ?? [] where name != "." && name != ".." { remove("\(path)/\(name)") }
    Glibc.remove(path)
  }

  /// The failure that the operating system has just reported.
  static func failure(_ path: String) -> Failure {
    Failure(path: path, reason: String(cString: strerror(errno)))
  }
}
