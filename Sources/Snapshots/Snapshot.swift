import Database
import Domain
import JSON

/// The whole state of a sandbox as one JSON document: its rows in all tables, what it keeps in memory only,
/// and its journal. Secrets are not masked.
///
/// ```
/// {"format": "ringfence-snapshot", "version": 8,
///  "sandbox": {"entropy_seed": 1, "clock": "frozen", …}, "memory": {"requests": 12, …},
///  "tables": {"messages": {"columns": ["ordinal", …], "rows": [[17, …], …]}, …},
///  "journal": {"columns": ["ordinal", …], "rows": [[1, …], …]}}
/// ```
/// Two snapshots of the same state are equal, byte for byte. A table without rows is left out.
enum Snapshot {
  static let format = "ringfence-snapshot"
  /// The member that only the state in a shared file has: see `SharedPart`.
  static let accounts = "accounts"
  /// The largest row, in bytes of JSON: a row is read in one step.
  static let rowBytes = 8 << 20
  /// A restored sandbox can go on for as long again.
  static let newestOrdinal = RecordKey.endOfOrdinals / 2

  /// Which rows of a database belong to a sandbox.
  struct Layout {
    let version = DatabaseSchema.version
    let sandboxes: Table
    /// Those that others refer to come first.
    let tables: [Table]
    /// Those whose rows are saved: not what is written again from other rows.
    let savedTables: [Table]
    /// The same in documents.
    let snapshotTables: [SnapshotTable]

    init(of database: Database) throws {
      guard let sandboxes = try database.tables().first(where: { $0.name == "sandboxes" }) else {
        throw DamagedState(expected: "a table of sandboxes")
      }
      self.sandboxes = sandboxes.without("id", "name")
      tables = try database.sandboxTables()
      savedTables = tables.filter { !DestinationRows.tables.contains($0.name) }
      snapshotTables = savedTables.map { SnapshotTable(name: $0.name, columns: $0.columns) }
    }
  }

  /// The shape of the document, for its description.
  static let schema = ObjectSchema(
    "Snapshot", "The whole state of a sandbox, for the same version of Ringfence. Secrets are not masked.",
    [
      .init("format", .words([format]), "What this document is.", .required),
      .init("version", .integer(minimum: 1), "The version of the server's tables.", .required),
      .init("sandbox", .map(.any), "The clock, the random seed and the counters.", .required),
      .init("memory", .object(SandboxMemory.schema.object), "State that is in no table.", .required),
      .init("tables", .map(.object(SnapshotTable.schema)), "The rows of each table.", .required),
      .init("journal", .object(SnapshotTable.schema), "The journal of requests.", .required),
      .init(
        accounts, .map(.array(.string())),
        "Only in a file about one verification: the ids that a new sandbox has others for."),
    ])
}
