import Database
import JSON

/// The whole state of a sandbox as one JSON document: its rows in all tables, what it keeps in memory only, and its
/// journal. Secrets are not masked.
///
/// ```
/// {"format": "ringfence-snapshot", "version": 8,
///  "sandbox": {"entropy_seed": 1, "clock": "frozen", …}, "memory": {"requests": 12, …},
///  "tables": {"messages": {"columns": ["ordinal", …], "rows": [[17, …], …]}, …},
///  "journal": {"columns": ["ordinal", …], "rows": [[1, …], …]}}
/// ```
/// Two snapshots of the same state are equal, byte for byte. A table without rows is left out.
struct Snapshot {
  let version: Int
  /// Its row in the table of sandboxes, without id and name: a snapshot can be restored under any name.
  let sandbox: [ColumnValue]
  let memory: SandboxMemory
  let tables: [SnapshotTable]
  let journal: SnapshotTable

  static let format = "ringfence-snapshot"

  /// Which rows of a database belong to a sandbox. Found in the database, so new tables need no code here.
  struct Layout {
    let version = DatabaseSchema.version
    let sandboxes: Table
    /// Those that others refer to come first.
    let tables: [Table]

    init(of database: Database) throws {
      let all = try database.tables()
      guard let sandboxes = all.first(where: { $0.name == "sandboxes" }) else {
        throw DamagedState(expected: "a table of sandboxes")
      }
      self.sandboxes = sandboxes.without("id", "name")
      tables = all.filter { $0.columns.contains { $0.name == "sandbox" } }.map { $0.without("sandbox") }
    }
  }

  /// Throws if a snapshot would be too large to be restored.
  init(of sandbox: Sandbox) throws {
    let layout = try Layout(of: sandbox.database)
    var size = Size()
    var row: [ColumnValue] = []
    try sandbox.database.forEachRow(of: layout.sandboxes, where: "id", is: sandbox.id) { row = $0 }
    // The row has the newest ordinal only after the commit.
    self.sandbox = zip(layout.sandboxes.columns, row).map { column, value in
      column.name == "last_ordinal" ? .integer(Int64(sandbox.newestOrdinal)) : value
    }
    version = layout.version
    memory = sandbox.memory
    tables = try layout.tables.compactMap { table in
      var rows: [[ColumnValue]] = []
      try sandbox.database.forEachRow(of: table, where: "sandbox", is: sandbox.id) {
        try size.add($0)
        rows.append($0)
      }
      return rows.isEmpty ? nil : SnapshotTable(name: table.name, columns: table.columns, rows: rows)
    }
    journal = Journal.table(of: sandbox.journal.exchanges)
    for row in journal.rows { try size.add(row) }
  }

  init(_ input: Fields, _ layout: Layout) throws(FieldError) {
    guard try input.string("format") == Self.format else {
      throw input.mismatch("format", expected: "\"\(Self.format)\"")
    }
    version = try input.int("version")
    guard version == layout.version else {
      throw input.mismatch(
        "version", expected: "\(layout.version), the one of this server; use the version that saved it")
    }
    let row = try input.object("sandbox")
    var values: [ColumnValue] = []
    for column in layout.sandboxes.columns {
      values.append(
        try ColumnValue(row.json(column.name), for: column, path: "\(row.path).\(column.name)"))
    }
    sandbox = values
    var memory = SandboxMemory()
    try SandboxMemory.schema.merge(input.object("memory"), into: &memory)
    self.memory = memory
    let tables = try input.object("tables")
    var found: [SnapshotTable] = []
    for table in layout.tables {
      guard let fields = try tables.optionalObject(table.name) else { continue }
      found.append(try SnapshotTable(named: table.name, columns: table.columns, fields))
    }
    self.tables = found
    journal = try SnapshotTable(
      named: "journal", columns: Journal.snapshotColumns, input.object("journal"))
    try input.requireAllRead(of: Self.schema)
    try checkOrdinals(layout)
  }

  /// New rows get ordinals after the newest one, so no row may have a higher one.
  private func checkOrdinals(_ layout: Layout) throws(FieldError) {
    let place = layout.sandboxes.columns.firstIndex { $0.name == "last_ordinal" }
    let newest = place.flatMap { sandbox[$0].integer } ?? 0
    for table in tables {
      guard let column = table.columns.firstIndex(where: { $0.name == "ordinal" }) else { continue }
      for (number, row) in table.rows.enumerated() {
        guard let ordinal = row[column].integer, ordinal > newest else { continue }
        throw FieldError(
          path: "\(table.path).rows[\(number)][\(column)]",
          expected: "at most \(newest), as in $.sandbox.last_ordinal", found: "\(ordinal)")
      }
    }
  }

  func encoded(_ layout: Layout) throws(FieldError) -> [UInt8] {
    let bytes = JSONWriter.object { json in
      json.member("format", Self.format)
      json.member("version", version)
      json.object("sandbox") { json in
        for (column, value) in zip(layout.sandboxes.columns, sandbox) {
          json.member(named: column.name, value.json)
        }
      }
      json.object("memory") { SandboxMemory.schema.write(memory, to: &$0) }
      json.object("tables") { json in
        for table in tables { json.object(named: table.name) { table.write(to: &$0) } }
      }
      json.object("journal") { journal.write(to: &$0) }
    }
    guard bytes.count <= SandboxLimits.snapshotBytes else { throw Size.tooLarge }
    return bytes
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
    ])
}
