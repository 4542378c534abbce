/// Rows that are written at the end of their savepoint.
///
/// The request that makes a record often changes it several times: it chooses the code, then notes which
/// message has it. Changing a row takes as long as writing it, so a late row is changed in memory until the
/// savepoint ends, another one begins, or a statement names its table.
class LateRow {
  fileprivate let table: StaticString

  fileprivate init(_ table: StaticString) { self.table = table }

  fileprivate func write(to database: Database) throws(DatabaseError) {}
}

private final class LateRecord<Record: TableRow>: LateRow {
  var record: Record
  private let sandbox: Int

  init(_ record: Record, of sandbox: Int) {
    self.record = record
    self.sandbox = sandbox
    super.init(Record.table)
  }

  override func write(to database: Database) throws(DatabaseError) {
    try database.insert(record, of: sandbox)
  }
}

extension Database {
  /// Inserts a record late; outside of a savepoint at once.
  package func insertLate<Record: TableRow>(_ record: Record, of sandbox: Int) throws(DatabaseError) {
    guard tick.openSavepoints > 0 else { return try insert(record, of: sandbox) }
    lateRows.append(LateRecord(record, of: sandbox))
  }

  /// Changes a record whose row is not written yet. Returns false if there is none: then its row has to be
  /// changed.
  package func changeLate<Record: TableRow>(
    _ type: Record.Type, where isMeant: (Record) -> Bool, _ change: (inout Record) -> Void
  ) -> Bool {
    for case let late as LateRecord<Record> in lateRows where isMeant(late.record) {
      change(&late.record)
      return true
    }
    return false
  }

  /// The records whose rows are not written yet.
  package func late<Record: TableRow>(_ type: Record.Type) -> [Record] {
    lateRows.compactMap { ($0 as? LateRecord<Record>)?.record }
  }

  /// Writes the late rows, if there are any.
  func writeLateRows() throws(DatabaseError) {
    guard !lateRows.isEmpty else { return }
    let rows = lateRows
    lateRows = []
    for row in rows { try row.write(to: self) }
  }

  /// Writes the late rows, if one of them is in a table that the statement names.
  func writeLateRows(before statement: Statement) throws(DatabaseError) {
    for row in lateRows where statement.names(row.table) { return try writeLateRows() }
  }
}
