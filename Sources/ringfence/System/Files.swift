import Glibc

enum Files {
  /// An error of the file system.
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
  }

  /// The bytes of a file. Stops reading after `limit` bytes, rounded up to a chunk of 64 KiB.
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

  /// The names in a folder, sorted, without hidden ones.
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

  static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// The `S_IF…` file type; nil if nothing exists there.
  private static func kind(of path: String) -> mode_t? { status(of: path).map { $0.st_mode & S_IFMT } }

  /// True if both are names of one existing file, directly or through links.
  static func isSame(_ path: String, _ other: String) -> Bool {
    guard let one = status(of: path), let two = status(of: other) else { return false }
    return (one.st_dev, one.st_ino) == (two.st_dev, two.st_ino)
  }

  /// The permission bits of a file; nil if nothing exists there.
  static func permissions(of path: String) -> mode_t? { status(of: path).map { $0.st_mode & 0o7777 } }

  /// The size of a file in bytes; nil if nothing exists there.
  static func size(of path: String) -> Int? { status(of: path).map { Int($0.st_size) } }

  /// A text that is another one after every change of the file.
  static func edition(of path: String) -> String {
    guard let file = status(of: path) else { return "none" }
    let changed = file.st_ctim
    return "\(file.st_dev) \(file.st_ino) \(file.st_size) \(changed.tv_sec).\(changed.tv_nsec)"
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Creates an empty file that only its owner may read, unless something exists there.
  static func createPrivate(_ path: String) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    close(file)
  }

  /// The absolute path of an existing file, with links resolved.
  static func absolute(_ path: String) throws(Failure) -> String {
    guard let found = realpath(path, nil) else { throw failure(path) }
    defer { free(found) }
    return String(cString: found)
  }

  /// Creates a folder that only its owner may read, unless it exists.
  static func makeFolder(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(path) }
  }

  /// Creates a folder and its parents, unless they exist.
  static func makeFolders(_ path: String) throws(Failure) {
    let parts = path.split(separator: "/")
    for count in 1...max(1, parts.count) {
      let folder = (path.hasPrefix("/") ? "/" : "") + parts.prefix(count).joined(separator: "/")
      if !isFolder(folder) { try makeFolder(folder) }
    }
  }

  /// Replaces a file atomically. Only its owner may read it if `isSecret`.
  static func write(_ text: String, to path: String, isSecret: Bool = false) throws(Failure) {
    try write(Array(text.utf8), to: path, isSecret: isSecret)
  }

  /// Replaces a file atomically. Only its owner may read it if `isSecret`. Follows links, and writes directly
  /// to devices and pipes.
  static func write(_ bytes: [UInt8], to path: String, isSecret: Bool = false) throws(Failure) {
    if let kind = kind(of: path), kind != S_IFREG, kind != S_IFDIR {
      return try put(bytes, in: path, O_WRONLY)
    }
    let place = (try? absolute(path)) ?? path
    let draft = "\(place).\(getpid())"
    // A file left by another process with our id could be readable for others.
    unlink(draft)
    do throws(Failure) {
      try put(bytes, in: draft, O_WRONLY | O_CREAT | O_EXCL, mode: isSecret ? 0o600 : 0o644)
      guard Glibc.rename(draft, place) == 0 else { throw failure(path) }
    } catch {
      unlink(draft)
      throw Failure(path: path, reason: error.reason)
    }
  }

  /// Writes over the beginning of a private file, which is created if needed.
  static func overwrite(_ path: String, with bytes: [UInt8]) throws(Failure) {
    try put(bytes, in: path, O_WRONLY | O_CREAT, mode: 0o600)
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

  /// Copies a file to a new one that only its owner may read, and waits for the disk.
  static func copy(_ path: String, to target: String) throws(Failure) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw failure(path) }
    defer { close(source) }
    let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(target) }
    defer { close(file) }
    var count = 0
    repeat {
      count = sendfile(file, source, nil, 1 << 24)
      guard count >= 0 else { throw failure(target) }
    } while count > 0
    guard fsync(file) == 0 else { throw failure(target) }
  }

  static func rename(_ path: String, to target: String) throws(Failure) {
    guard Glibc.rename(path, target) == 0 else { throw failure(target) }
  }

  /// Waits until the names in a folder are on the disk.
  static func waitForDisk(_ folder: String) throws(Failure) {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw failure(folder) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(folder) }
  }

  /// Locks a folder until this process ends, since two writers would overwrite each other.
  static func lock(_ folder: String) throws(Failure) {
    guard try lockIfFree(folder) != nil else {
      throw Failure(path: folder, reason: "another ringfence is using this folder")
    }
  }

  /// Nil if another process has locked the folder.
  static func lockIfFree(_ folder: String) throws(Failure) -> Lock? {
    let path = "\(folder)/lock"
    let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path) }
    guard flock(file, LOCK_EX | LOCK_NB) != 0 else { return Lock(file: file) }
    close(file)
    return nil
  }

  /// Waits for an exclusive lock on a file, which is created if needed.
  static func waitForLock(_ path: String) throws(Failure) -> Lock {
    let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard file >= 0, flock(file, LOCK_EX) == 0 else { throw failure(path) }
    return Lock(file: file)
  }

  struct Lock {
    fileprivate let file: Int32

    func release() { close(file) }
  }

  /// Removes a file or a folder with its contents, and ignores errors.
  static func remove(_ path: String) {
    guard Glibc.remove(path) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
    for name in (try? entries(of: path)) ?? [] where name != "." && name != ".." { remove("\(path)/\(name)") }
    Glibc.remove(path)
  }

  /// An error with the description of `errno`.
  static func failure(_ path: String) -> Failure {
    Failure(path: path, reason: String(cString: strerror(errno)))
  }
}

/// A private folder for temporary files.
struct TemporaryFolder {
  let path: String

  /// Creates one in `TMPDIR`, else in `/tmp`.
  init() throws(Files.Failure) {
    let parent = try Files.absolute(Environment["TMPDIR"] ?? "/tmp")
    var template = Array("\(parent)/ringfence-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Files.failure(parent) }
    path = String(cString: made)
  }

  func remove() { Files.remove(path) }
}
