import Database

/// Checks a data folder: who can read it, and whether the database is damaged. Works while a server uses it.
struct DataCheck: Check {
  static let name = "data"

  let folder: String

  func results() -> [CheckResult] {
    guard Files.isFolder(folder) else {
      return [.error("\(folder) is not a folder", fix: "use the folder of the server's --data")]
    }
    return [privacy] + [lost ?? integrity].compactMap(\.self)
  }

  /// Nil if nothing is lost, or if a server uses the folder.
  private var lost: CheckResult? {
    guard Files.exists("\(folder)/lock"), let lock = try? Files.lockIfFree(folder) else { return nil }
    defer { lock.release() }
    return LostFile(in: folder).map { .error($0.summary, fix: $0.fix) }
  }

  private var privacy: CheckResult {
    guard let exposed = DataFolder.exposedFile(in: folder) else {
      return .ok("only its owner can read \(folder)")
    }
    return .error("\(exposed)", fix: exposed.fix)
  }

  /// Nil if the folder has no database, as that of a server in memory.
  private var integrity: CheckResult? {
    let path = DataFolder.database(in: folder)
    guard Files.exists(path) else { return nil }
    let problems: [String]
    do {
      // A server that was killed has left its log for the next one.
      problems = try Database(.file(path: path), keepsLog: Files.exists("\(path)-wal")).problems(.full)
    } catch {
      problems = [error.message]
    }
    guard let first = problems.first else { return .ok("the database \(path) is not damaged") }
    let more = problems.count > 1 ? ", and \((problems.count - 1).counted("more problem"))" : ""
    return .error(
      "the database \(path) is damaged: \(first)\(more)",
      fix: "stop the server, and restore \(folder) from a backup or start with another folder")
  }
}
