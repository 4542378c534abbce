internal import CSQLite
internal import Glibc

/// A file beside a database that keeps disk space back.
///
/// To empty the write-ahead log, SQLite needs room in the database. On a full disk, this file is deleted to
/// make that room. The emptied log frees its own space, and the file is allocated again. A log that needs
/// more room leaves the file alone: the next start needs it.
package struct DiskReserve {
  /// Allocated if there is room, in bytes.
  private let size: Int
  private let folder: String
  private let path: String
  /// The name of the file.
  package static let name = "reserve"
  /// The size of the write-ahead log at which it should be emptied: smaller on small disks, in bytes.
  package let logLimit: Int

  private static let maxSize = 1 << 20
  private static let minSize = 64 << 10
  private static let maxLogLimit = 512 << 20

  /// Sizes depend on the file system. Allocates nothing yet.
  package init(forDatabase database: String) {
    folder = database.lastIndex(of: "/").map { String(database[..<$0]) } ?? "."
    path = "\(folder)/\(Self.name)"
    let eighth = Self.bytes(\.f_blocks, ofFileSystemOf: folder).map { $0 / 8 } ?? .max
    size = max(Self.minSize, min(Self.maxSize, eighth))
    logLimit = max(Self.minSize, min(Self.maxLogLimit, eighth))
  }

  /// Allocates the reserve, or as much of it as the disk has room for.
  package func hold() {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    var wanted = size
    while wanted >= Self.minSize {
      if posix_fallocate(file, 0, wanted) == 0 { return }
      ftruncate(file, 0)
      wanted /= 2
    }
    unlink(path)
  }

  package func release() { unlink(path) }

  /// The free bytes of the file system, with those that the reserve holds.
  package var room: Int {
    var file = stat()
    let held = stat(path, &file) == 0 ? Int(file.st_size) : 0
    return held + (Self.bytes(\.f_bavail, ofFileSystemOf: folder) ?? 0)
  }

  /// Nil if the system does not say it.
  private static func bytes(_ blocks: KeyPath<statvfs, fsblkcnt_t>, ofFileSystemOf folder: String) -> Int? {
    var system = statvfs()
    guard statvfs(folder, &system) == 0 else { return nil }
    let (bytes, isLarge) = Int(clamping: UInt64(system[keyPath: blocks]))
      .multipliedReportingOverflow(by: Int(clamping: UInt64(system.f_frsize)))
    return isLarge ? .max : bytes
  }
}

extension Database {
  /// Empties the log with the help of the reserve, after an error of a full disk. Without success, nothing
  /// changes. `room`: nil for that of the file system.
  package func emptyLog(using reserve: DiskReserve, room: Int? = nil) {
    guard growthByLog <= room ?? reserve.room else { return }
    reserve.release()
    emptyLog()
    reserve.hold()
  }

  /// By how many bytes the file of the database grows when the log is moved into it.
  package var growthByLog: Int {
    var file = stat()
    guard let path = sqlite3_db_filename(handle, "main"), stat(path, &file) == 0,
      let pages = try? first("PRAGMA page_count", read: { $0.int(0) })
    else { return 0 }
    return pages * pageBytes - Int(file.st_size)
  }
}
