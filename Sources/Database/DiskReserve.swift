internal import Glibc

/// A file beside a database that keeps disk space back.
///
/// To empty the write-ahead log, SQLite needs room in the database. On a full disk, this file is deleted to
/// make that room. The emptied log frees its own space, and the file is allocated again.
package struct DiskReserve {
  /// Allocated if there is room, in bytes.
  private let size: Int
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
    let folder = database.lastIndex(of: "/").map { String(database[..<$0]) } ?? "."
    path = "\(folder)/\(Self.name)"
    var system = statvfs()
    let isKnown = statvfs(folder, &system) == 0
    let eighth =
      isKnown ? Int(clamping: UInt64(system.f_blocks)) / 8 * Int(clamping: UInt64(system.f_frsize)) : .max
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
}

extension Database {
  /// Empties the log with the help of the reserve, after an error of a full disk. Without success, nothing
  /// changes.
  package func emptyLog(using reserve: DiskReserve) {
    reserve.release()
    emptyLog()
    reserve.hold()
  }
}
