import Database
import Domain
import JSON

/// Writes the snapshot of a sandbox in steps. Nothing may change the sandbox meanwhile.
///
/// A class because its steps fill it.
package final class SnapshotWriter {
  private static let rowsPerStep = 200
  private static let partSize = 1 << 16

  /// The document so far, in parts that need not be copied when it grows.
  package private(set) var parts: [[UInt8]] = []
  private var part: [UInt8] = []
  private var count = 0
  private let sandbox: Sandbox
  private let layout: Snapshot.Layout
  private var size = Snapshot.Size()

  init(_ sandbox: Sandbox) throws {
    self.sandbox = sandbox
    layout = try Snapshot.Layout(of: sandbox.database)
  }

  package var bytes: [UInt8] { Array(parts.joined()) }

  /// The steps that write the document.
  func makeSteps() -> Steps {
    var steps = Steps()
    steps.add { try self.writeHead() }
    for table in layout.savedTables { steps.addRepeated(rows(of: table)) }
    steps.addRepeated(journal())
    steps.add {
      self.write("}}")
      self.endPart()
      guard self.count <= SandboxLimits.snapshotBytes else { throw Snapshot.Size.tooLarge }
    }
    return steps
  }

  private func writeHead() throws {
    let row = try sandbox.database.rows(of: layout.sandboxes, where: "id", is: sandbox.id, limit: 1).first
    guard let row else { throw DamagedState(expected: "a row of the sandbox") }
    part = JSONWriter.object { json in
      json.member("format", Snapshot.format)
      json.member("version", layout.version)
      json.object("sandbox") { json in
        for (column, value) in zip(layout.sandboxes.columns, row) {
          // The row has the newest ordinal only after the commit.
          let isOrdinal = column.name == "last_ordinal"
          json.member(named: column.name, isOrdinal ? .integer(Int64(sandbox.newestOrdinal)) : value.json)
        }
      }
      json.object("memory") { SandboxMemory.schema.write(sandbox.memory, to: &$0) }
    }
    part.removeLast()
    write(#","tables":{"#)
  }

  /// The step of a table. A table without rows is left out.
  private func rows(of table: Table) -> Steps.Step {
    var last: [ColumnValue]?
    return { [self] in
      let page = try sandbox.database.rows(
        of: table, where: "sandbox", is: sandbox.id, after: last, limit: Self.rowsPerStep)
      for row in page {
        write(last == nil ? opening(table.name, table.columns) : ",")
        try add(Self.timeless(row, of: table))
        last = row
      }
      guard page.isEmpty else { return true }
      if last != nil { write("]}") }
      return false
    }
  }

  /// The time of the last request is the server's: a restored sandbox gets another.
  private static func timeless(_ row: [ColumnValue], of table: Table) -> [ColumnValue] {
    guard table.name == "quotas" else { return row }
    return zip(table.columns, row).map { $0.name == "last_request_at" ? .integer(0) : $1 }
  }

  private func journal() -> Steps.Step {
    var last: Int?
    return { [self] in
      if last == nil {
        let table = Journal.snapshotTable
        write("}," + opening(table.name, table.columns, comma: false))
      }
      // One in a step: with its bodies, it can have megabytes.
      guard let exchange = sandbox.journal.exchanges(after: last ?? 0, limit: 1).first else {
        write("]")
        return false
      }
      if last != nil { write(",") }
      try add(Journal.row(of: exchange))
      last = exchange.ordinal
      return true
    }
  }

  /// `"messages":{"columns":[…],"rows":[`, after a comma if another table is before it.
  private func opening(_ table: String, _ columns: [Table.Column], comma: Bool = true) -> String {
    let names = columns.map { "\"\($0.name)\"" }.joined(separator: ",")
    let isFirst = part.last == UInt8(ascii: "{")
    return "\(comma && !isFirst ? "," : "")\"\(table)\":{\"columns\":[\(names)],\"rows\":["
  }

  private func add(_ row: [ColumnValue]) throws(FieldError) {
    try size.add(row)
    let json = JSON.array(row.map(\.json)).encoded()
    guard json.count <= Snapshot.rowBytes else { throw Snapshot.Size.tooLarge }
    part += json
    if part.count >= Self.partSize { endPart() }
  }

  private func write(_ text: String) { part += text.utf8 }

  private func endPart() {
    count += part.count
    parts.append(part)
    part = []
  }
}
