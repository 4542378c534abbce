import Database
import ProviderKit

/// A file of a data folder whose content is gone, although a server has used the folder. SQLite would start
/// without it, and without a word.
struct LostFile: Error, CustomStringConvertible {
  private let folder: String
  private let path: String
  private let reason: String
  /// The files without which the server starts with what the database has.
  private var givenUp: [String] = []

  /// The first lost file of a folder that no server uses; nil if nothing is lost.
  init?(in folder: String) {
    self.folder = folder
    let (run, database) = (LastRun(folder: folder), DataFolder.database(in: folder))
    let log = "\(database)-wal"
    let (hasDatabase, hasLog) = (Self.hasContent(database), Self.hasContent(log))
    if !hasDatabase {
      let traces = [run.path, "\(folder)/\(DiskReserve.name)"].filter(Files.exists) + (hasLog ? [log] : [])
      guard let trace = traces.first else { return nil }
      path = database
      reason =
        "\(Files.exists(database) ? "empty" : "missing"), but a server has used this folder: \(trace) exists"
    } else if run.isOpen || hasLog {
      let problem = LogCheck.problem(ofDatabase: database, knowsIndex: run.isOfThisBoot)
      guard let problem else { return nil }
      path = log
      reason =
        "\(problem). It has changes that the last server had not moved into the database when it was killed"
      givenUp = [log, run.path]
    } else {
      return nil
    }
  }

  private static func hasContent(_ path: String) -> Bool { Files.size(of: path) ?? 0 > 0 }

  var description: String { "\(summary). \(fix)" }

  var summary: String { "\(path): \(reason)" }

  var fix: String {
    let (place, other) = (folder.shellQuoted, "\(folder).damaged".shellQuoted)
    var text =
      """
      Put the file back. Or restore a backup: mv \(place) \(other) && ringfence restore --backup DIR --data \(place). \
      Or start with a new folder: mv \(place) \(other)
      """
    if !givenUp.isEmpty {
      text +=
        ". Or give those changes up: rm -f \(givenUp.map(\.shellQuoted).joined(separator: " "))"
    }
    return text
  }
}
