import Database
import Domain

/// The open database with its sandboxes, and what keeps a database in a file healthy.
final class Storage {
  let sandboxes: Sandboxes
  private let database: Database
  /// Nil in memory.
  private let file: FileMaintenance?
  /// The size of the log when it was last moved under load; 0 after it has started again.
  private var sizeOfLastMove = 0

  private struct FileMaintenance {
    let reserve: DiskReserve
    let checkpointer: Checkpointer
    let check: IntegrityCheck
    let run: LastRun
  }

  /// A problem at the start, with what helps.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Opens the database. `report` gets damage that a check finds in the background.
  init(
    _ location: Location, durability: Durability, load: (Database) throws -> Sandboxes,
    report: @escaping @Sendable (String) -> Void
  ) throws {
    guard case .file(let path) = location else {
      database = try Database(location, durability: durability)
      sandboxes = try load(database)
      file = nil
      return
    }
    let reserve = DiskReserve(forDatabase: path)
    do {
      (database, sandboxes) = try Self.open(path, durability, reserve, load)
      reserve.hold()
      let run = LastRun(folder: DataFolder.folder(of: path))
      // Without room for a new file, nobody will know that a log was lost.
      try? run.noteStart()
      let check = try IntegrityCheck(path: path) { problems in
        report(Self.damage(problems.joined(separator: "; "), of: path))
      }
      file = FileMaintenance(
        reserve: reserve,
        checkpointer: try Checkpointer.start(path: path, beside: database, logLimit: reserve.logLimit),
        check: check, run: run)
    } catch let error as DatabaseError where error.isDamage {
      throw Failure(description: Self.damage(error.message, of: path))
    } catch let error as DatabaseError where error.isDiskFull {
      throw Failure(
        description:
          "\(path): the disk is full. Free at least \(Self.roomToStart) on its file system and start again.")
    }
  }

  /// Closes the database.
  func close() {
    file?.check.stop()
    file?.checkpointer.stop()
    // A process that is killed here leaves an empty log, or one that belongs to an open run.
    let isEmpty = database.emptyLog()
    if let file, isEmpty, (try? file.run.noteEnd()) != nil { database.keepsLog = false }
    database.close()
  }

  /// Keeps the write-ahead log from growing forever. It waits for the disk, so the limit is above the size at
  /// which requests pause.
  func checkpointIfTooLarge() {
    if let file { database.checkpointIfLarge(limit: file.reserve.logLimit) }
  }

  /// True if the log must be moved, although there is no moment without a write.
  func logIsLarge() -> Bool {
    guard let file else { return false }
    let size = database.walBytes
    let large = file.reserve.logLimit / 2
    guard size > max(large, sizeOfLastMove + large / 8) else {
      if size < large { sizeOfLastMove = 0 }
      return false
    }
    sizeOfLastMove = size
    return true
  }

  var logIsNearLimit: Bool { file.map { database.walBytes > $0.reserve.logLimit / 4 * 3 } ?? false }

  /// The size of the log.
  var logBytes: Int { database.walBytes }

  /// Calls `done` on another thread.
  func moveLog(_ done: @escaping @Sendable () -> Void) { file?.checkpointer.moveLog(done) }

  /// Makes room after a failed commit if the disk was full.
  func recover(from error: any Error) {
    if let file, (error as? DatabaseError)?.isDiskFull == true { database.emptyLog(using: file.reserve) }
  }

  /// On a full disk, opens it a second time with the space of the reserve.
  private static func open(
    _ path: String, _ durability: Durability, _ reserve: DiskReserve, _ load: (Database) throws -> Sandboxes
  ) throws -> (Database, Sandboxes) {
    do {
      let database = try Database(.file(path: path), durability: durability, keepsLog: true)
      return (database, try load(database))
    } catch let error as DatabaseError where error.isDiskFull {
      reserve.release()
      let database = try Database(.file(path: path), durability: durability, keepsLog: true)
      // Otherwise it would take the room that `load` needs.
      if database.growthByLog <= reserve.room { database.emptyLog() }
      return (database, try load(database))
    }
  }

  private static let roomToStart = "256 KiB"

  private static func damage(_ problem: String, of path: String) -> String {
    "\(path): the database is damaged: \(problem). Restore the folder from a backup, or start with another folder; "
      + "`ringfence doctor --data` lists all damage"
  }
}
