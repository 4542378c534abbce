import Database

/// Deletes the rows of hidden sandboxes in steps: of removed and replaced ones, and what a failed job or a
/// crash has left.
///
/// A class because it knows whether it is running.
final class SandboxRemoval {
  /// The most rows that a step deletes.
  private static let rowsPerStep = 500

  private let database: Database
  private let registry: SandboxRegistry
  private let jobs: JobQueue
  private var job: Job?
  /// Those that others refer to come last. Nil until read.
  private var tables: [Table]?

  init(database: Database, registry: SandboxRegistry, jobs: JobQueue) {
    self.database = database
    self.registry = registry
    self.jobs = jobs
  }

  /// Begins, if it is not running.
  func start() {
    guard job?.isRunning != true else { return }
    var steps = Steps()
    steps.addRepeated { [unowned self] in try deleteSome() }
    let job = Job(steps)
    self.job = job
    jobs.start(job)
  }

  /// Returns true if there is more to delete.
  private func deleteSome() throws -> Bool {
    let hidden = try SandboxRow.hidden(in: database).first { !registry.buildingIDs.contains($0) }
    guard let hidden else { return false }
    var room = Self.rowsPerStep
    for table in try allTables() {
      room -= try database.deleteRows(of: table, where: "sandbox", is: hidden, limit: room)
      if room == 0 { return true }
    }
    try database.run("DELETE FROM sandboxes WHERE id = ?", hidden)
    return true
  }

  private func allTables() throws -> [Table] {
    if let tables { return tables }
    let found: [Table] = try database.sandboxTables().reversed()
    tables = found
    return found
  }
}
