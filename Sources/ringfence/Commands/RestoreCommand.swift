import ArgumentParser
import Basics
import Database

/// `ringfence restore --backup DIR --data DIR`
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a data folder from a backup of `serve --backup`.",
    discussion: """
      The server must not run. A data folder that has a database is not replaced: move it away first. The copy is \
      checked for damage before it gets its place.
      """)

  @Option(help: "The folder of backups.")
  var backup: String
  @Option(help: "The data folder to make.")
  var data: String
  @Option(
    help: """
      Use the newest backup that was made at this time or before, such as 2026-01-05T10:20:30Z. Default: the newest.
      """)
  var at: String?

  func run() throws {
    let chosen = try choose()
    let folder = chosen.path
    try Files.makeFolders(data)
    let database = DataFolder.database(in: data)
    let secrets = DataFolder.Contents(of: folder).secrets
    // The log of another database would be taken for that of the copy.
    let present = (DataFolder.storedFiles(in: data) + secrets.map { "\(data)/\($0)" })
      .first(where: Files.exists)
    if let present {
      throw ValidationError("--data: \(present) exists; move \(data) away, or name another folder")
    }
    try DataFolder.lock(data)
    let draft = "\(database).restored"
    Files.remove(draft)
    try Files.copy(DataFolder.database(in: folder), to: draft)
    try requireHealthy(draft, of: folder)
    for name in secrets { try Files.copy("\(folder)/\(name)", to: "\(data)/\(name)") }
    // Last, so that a server never starts with half of it.
    try Files.rename(draft, to: database)
    try Files.waitForDisk(data)
    Output.line("\(data) is as it was at \(chosen.time.iso8601Milliseconds)")
  }

  /// The backup of `--at`.
  private func choose() throws -> BackupFolder.Backup {
    let all = try BackupFolder(path: backup).backups
    guard let (first, last) = all.first.map({ ($0, all[all.count - 1]) }) else {
      throw ValidationError("--backup: there is no backup in \(backup)")
    }
    guard let at else { return last }
    guard let time = Timestamp(iso8601: at) else {
      throw ValidationError("--at: expected a time such as 2026-01-05T10:20:30Z; found \(at)")
    }
    guard let found = all.last(where: { $0.time <= time }) else {
      throw ValidationError(
        "--at: the first backup was made at \(first.time.iso8601Milliseconds); found \(at)")
    }
    return found
  }

  private func requireHealthy(_ draft: String, of folder: String) throws {
    var problems: [String]
    do throws(DatabaseError) {
      let database = try Database(.file(path: draft))
      problems = database.problems(.full)
      database.close()
    } catch {
      problems = [error.message]
    }
    guard let problem = problems.first else { return }
    Files.remove(draft)
    throw ValidationError("--backup: \(folder) is damaged: \(problem). Choose an earlier one with --at")
  }
}
