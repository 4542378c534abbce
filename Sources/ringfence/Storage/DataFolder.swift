import Glibc
import ProviderKit

/// The folder of `--data`: the database, the key of the certificate authority, and a lock.
struct DataFolder {
  let path: String

  var database: String { Self.database(in: path) }

  static func database(in folder: String) -> String { "\(folder)/\(databaseName)" }

  private static let databaseName = "ringfence.sqlite"

  static func folder(of database: String) -> String { String(database.dropLast(databaseName.utf8.count + 1)) }

  /// The files that hold what a server has stored, whether they exist or not.
  static func storedFiles(in folder: String) -> [String] {
    let database = database(in: folder)
    return [database, "\(database)-wal", "\(database)-shm", "\(folder)/\(LastRun.name)"]
  }

  /// Creates the folder if needed, and locks it until this process ends. Makes an empty folder private, and
  /// refuses one with data that others can read, or that is lost.
  init(opening path: String) throws {
    self.path = path
    try Self.lock(path)
    if let lost = LostFile(in: path) { throw lost }
    // SQLite gives its companion files the same permissions.
    try Files.createPrivate(database)
  }

  /// The same without a database.
  static func lock(_ path: String) throws {
    try Files.makeFolder(path)
    // An error shows in the next step.
    if try Files.names(in: path).isEmpty { _ = chmod(path, 0o700) }
    if let exposed = exposedFile(in: path) { throw exposed }
    try Files.lock(path)
  }

  /// What a copy of a data folder needs, besides the database.
  struct Contents {
    let path: String
    /// The files with keys and tokens that it has.
    let secrets: [String]

    init(of path: String) {
      self.path = path
      secrets = DataFolder.secrets.filter { Files.exists("\(path)/\($0)") }
    }
  }

  private static let tokens = ["admin-token", "sandbox-token-key", OwnKeys.fileName]
  private static let secrets = tokens + [Authority.certificateName, Authority.keyName]

  /// A file or folder with secrets that other users can read or change.
  struct ExposedFile: Error, CustomStringConvertible {
    let path: String
    let permissions: mode_t
    let expected: mode_t
    let folder: String

    var description: String {
      "\(path): other users can read or change it (mode \(Self.octal(permissions)), expected "
        + "\(Self.octal(expected))). \(fix)"
    }

    var fix: String { "Run: chmod -R go-rwx \(folder.shellQuoted)" }

    private static func octal(_ mode: mode_t) -> String {
      let digits = String(mode, radix: 8)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  /// The first exposed file of a data folder, or the folder itself.
  static func exposedFile(in folder: String) -> ExposedFile? {
    let files =
      storedFiles(in: folder) + [Authority.keyFile(in: folder)] + tokens.map { "\(folder)/\($0)" }
    let expected: [(path: String, mode: mode_t)] = [(folder, 0o700)] + files.map { ($0, 0o600) }
    for file in expected {
      guard let mode = Files.permissions(of: file.path), mode & 0o077 != 0 else { continue }
      return ExposedFile(path: file.path, permissions: mode, expected: file.mode, folder: folder)
    }
    return nil
  }
}
