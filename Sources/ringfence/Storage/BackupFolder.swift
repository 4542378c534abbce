import Basics
import Glibc

/// The folder of `--backup`: complete copies of a data folder, each in a folder named by its time.
struct BackupFolder {
  /// A finished copy.
  struct Backup: Equatable {
    /// What was acknowledged before is in it.
    let time: Timestamp
    let path: String
  }

  let path: String

  /// What is not finished has a hidden name.
  private var draft: String { "\(path)/.unfinished" }

  /// The finished copies, oldest first.
  var backups: [Backup] {
    get throws(Files.Failure) {
      try Files.names(in: path).compactMap { name in
        Timestamp(backupName: name).map { Backup(time: $0, path: "\(path)/\(name)") }
      }
    }
  }

  /// Locks the folder until this process ends, and removes what a crash has left.
  func open() throws(Files.Failure) {
    try Files.makeFolders(path)
    try Files.lock(path)
    Files.remove(draft)
  }

  /// Makes a copy that shows only when it is complete. `copyDatabase` writes an empty file, or returns false
  /// if it has nothing new.
  func add(
    _ time: Timestamp, of data: DataFolder.Contents, copyDatabase: (_ path: String) throws -> Bool
  ) throws -> Bool {
    try Files.makeFolder(draft)
    defer { Files.remove(draft) }
    let database = DataFolder.database(in: draft)
    try Files.createPrivate(database)
    guard try copyDatabase(database) else { return false }
    for name in data.secrets { try Files.copy("\(data.path)/\(name)", to: "\(draft)/\(name)") }
    try Files.waitForDisk(draft)
    try Files.rename(draft, to: "\(path)/\(time.backupName)")
    try Files.waitForDisk(path)
    return true
  }

  /// Removes the oldest copies.
  func keepNewest(_ count: Int) throws(Files.Failure) {
    for backup in try backups.dropLast(count) {
      // Never a copy with a part of its files.
      try Files.rename(backup.path, to: draft)
      Files.remove(draft)
    }
  }
}

extension Timestamp {
  /// `2026-01-05T10-20-30.123Z`, since colons are separators in many commands.
  fileprivate var backupName: String { String(iso8601Milliseconds.map { $0 == ":" ? "-" : $0 }) }

  fileprivate init?(backupName name: String) {
    let halves = name.split(separator: "T", maxSplits: 1)
    guard halves.count == 2 else { return nil }
    let text = "\(halves[0])T\(String(halves[1].map { $0 == "-" ? ":" : $0 }))"
    guard let time = Timestamp(iso8601: text), time.backupName == name else { return nil }
    self = time
  }
}
