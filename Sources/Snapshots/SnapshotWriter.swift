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
  /// Nil: everything.
  private let shared: SharedPart?

  init(_ sandbox: Sandbox, _ shared: SharedPart? = nil) throws {
    self.sandbox = sandbox
    self.shared = shared
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
          let ordinal = JSON.integer(Int64(sandbox.newestOrdinal))
          let written = shared?.sandboxValue(value, of: column.name) ?? value
          json.member(named: column.name, isOrdinal ? ordinal : written.json)
        }
      }
      json.object("memory") { SandboxMemory.schema.write(sandbox.memory, to: &$0) }
      if let shared {
        json.object("accounts") { json in
          json.member(named: shared.provider, JSON.array(shared.accounts.map { .string($0) }))
        }
      }
    }
    part.removeLast()
    write(#","tables":{"#)
  }

  /// The step of a table. A table without rows is left out.
  private func rows(of table: Table) -> Steps.Step {
    var last: [ColumnValue]?
    var isOpen = false
    return { [self] in
      let page = try sandbox.database.rows(
        of: table, where: "sandbox", is: sandbox.id, after: last, limit: Self.rowsPerStep)
      for row in page {
        last = row
        guard let written = shared.map({ $0.row(row, of: table) }) ?? Self.timeless(row, of: table) else {
          continue
        }
        write(isOpen ? "," : opening(table.name, table.columns))
        isOpen = true
        try add(written)
      }
      guard page.isEmpty else { return true }
      if isOpen { write("]}") }
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
      guard let exchange = exchange(after: last ?? 0) else {
        write("]")
        return false
      }
      if last != nil { write(",") }
      let row = Journal.row(of: exchange)
      try add(shared?.withoutSecrets(row) ?? row)
      last = exchange.ordinal
      return true
    }
  }

  private func exchange(after ordinal: Int) -> Journal.Exchange? {
    guard let shared else { return sandbox.journal.exchanges(after: ordinal, limit: 1).first }
    return shared.exchanges.first { $0.ordinal > ordinal }
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
