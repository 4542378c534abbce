import Database
import Domain
import JSON

/// Reads the document of a snapshot in steps: first it finds the parts, then the rows are read, in any order
/// of tables.
///
/// A class because each step continues after the last one.
final class SnapshotReader {
  /// The part of the document that the next step reads.
  private enum Place {
    case document
    case tables
    case table(SnapshotTable)
    case rows(SnapshotTable)
  }

  private static let rowsPerStep = 1_000
  /// The largest member besides the tables, in bytes.
  private static let memberBytes = 64 << 10

  private let layout: Snapshot.Layout
  private var reader: JSONReader
  private var place = Place.document
  private var members: [JSON.Member] = []
  /// At the rows of each table.
  private var rows: [String: JSONReader] = [:]
  private var columns: [String: JSON] = [:]
  /// The first name that is not known. A snapshot of another version may have some.
  private var unknownName: FieldError?

  init(_ bytes: [UInt8], _ layout: Snapshot.Layout) {
    reader = JSONReader(bytes, limits: .snapshot)
    self.layout = layout
  }

  /// The document without the content of tables and journal. To read when the parts are found.
  func head() throws(FieldError) -> Fields { try Fields(.object(members)) }

  /// Throws if the document has other tables or columns than this version. Call this after its version was
  /// compared.
  func checkShape() throws(FieldError) {
    if let unknownName { throw unknownName }
    for table in layout.snapshotTables + [Journal.snapshotTable] {
      if let found = columns[table.name] { try table.check(columns: found) }
    }
  }

  // MARK: Finding the parts

  /// Finds some of the parts. Returns false when all are found.
  func findParts() throws(FieldError) -> Bool {
    if reader.isAtStart { try reader.enterObject() }
    switch place {
    case .document: return try findMember()
    case .tables: try findTable()
    case .table(let table): try findMember(of: table)
    case .rows(let table): try skipRows(of: table)
    }
    return true
  }

  private func findMember() throws(FieldError) -> Bool {
    guard let name = try reader.nextMember() else {
      try reader.finish()
      return false
    }
    switch name {
    case "tables":
      try reader.enterObject("$.tables")
      members.append(JSON.Member(name: name, value: .object([])))
      place = .tables
    case Journal.snapshotTable.name:
      try reader.enterObject(Journal.snapshotTable.path)
      members.append(JSON.Member(name: name, value: .object([])))
      place = .table(Journal.snapshotTable)
    default:
      guard isKnown(name, among: Snapshot.schema.members.map(\.name), in: "$") else { return try skip() }
      members.append(JSON.Member(name: name, value: try reader.value(atMost: Self.memberBytes)))
    }
    return true
  }

  private func findTable() throws(FieldError) {
    guard let name = try reader.nextMember() else { return place = .document }
    guard isKnown(name, among: layout.snapshotTables.map(\.name), in: "$.tables"),
      let table = layout.snapshotTables.first(where: { $0.name == name })
    else { return _ = try skip() }
    try reader.enterObject(table.path)
    place = .table(table)
  }

  private func findMember(of table: SnapshotTable) throws(FieldError) {
    guard let name = try reader.nextMember() else {
      guard columns[table.name] != nil, rows[table.name] != nil else {
        throw FieldError(path: table.path, expected: "an object with columns and rows", found: "another one")
      }
      return place = table.name == Journal.snapshotTable.name ? .document : .tables
    }
    guard isKnown(name, among: ["columns", "rows"], in: table.path) else { return _ = try skip() }
    if name == "columns" {
      columns[table.name] = try reader.value(atMost: Self.memberBytes)
    } else {
      rows[table.name] = reader
      try reader.enterArray("\(table.path).rows")
      place = .rows(table)
    }
  }

  private func isKnown(_ name: String, among known: [String], in path: String) -> Bool {
    if known.contains(name) { return true }
    unknownName = unknownName ?? .unknownField("\(path).\(name)", nearest: known.nearest(to: name))
    return false
  }

  /// Skips the value of an unknown name.
  private func skip() throws(FieldError) -> Bool {
    try reader.skipValue(atMost: SandboxLimits.snapshotBytes)
    return true
  }

  private func skipRows(of table: SnapshotTable) throws(FieldError) {
    for _ in 0..<Self.rowsPerStep {
      guard try reader.nextItem() else { return place = .table(table) }
      try reader.skipValue(atMost: Snapshot.rowBytes)
    }
  }

  // MARK: Reading rows

  /// A function that reads the next rows of a table, at most `limit`; none after the last one.
  func rows(of table: SnapshotTable) -> (_ limit: Int) throws(FieldError) -> [[ColumnValue]] {
    guard var reader = rows[table.name] else { return { _ in [] } }
    var number = 0
    var isEntered = false
    return { limit throws(FieldError) in
      if !isEntered { try reader.enterArray() }
      isEntered = true
      var page: [[ColumnValue]] = []
      while page.count < limit, try reader.nextItem() {
        page.append(try table.row(number, reader.value()))
        number += 1
      }
      return page
    }
  }
}
