/// A record that is stored as one row of a table for all sandboxes. Its columns are listed once, next to the
/// record: their names, and in the same order how they are read and written.
package protocol TableRow {
  static var table: StaticString { get }
  /// The names of the columns, without `sandbox`: `ordinal, provider, owner`.
  static var columns: StaticString { get }
  /// True if the table has a `RecordKey`. Its first column is then `ordinal`.
  static var hasRecordKey: Bool { get }

  /// Reads the columns, in their order.
  init(from row: inout ColumnReader) throws(DatabaseError)
  /// Writes the columns, in their order.
  func write(to row: inout ColumnWriter)
}

extension TableRow {
  package static var hasRecordKey: Bool { false }
}

extension Database {
  /// The first row that the rest of a SELECT finds, such as `WHERE sandbox = ? AND ordinal = ?`.
  package func first<Record: TableRow>(
    _ type: Record.Type, _ rest: StaticString, _ values: any Bindable...
  ) throws(DatabaseError) -> Record? {
    let statement = try start(
      .select(columns: Record.columns, table: Record.table, rest: rest), values)
    defer { statement.reset() }
    return try next(statement) ? try read(statement) : nil
  }

  /// All rows that the rest of a SELECT finds.
  package func all<Record: TableRow>(
    _ type: Record.Type, _ rest: StaticString, _ values: any Bindable...
  ) throws(DatabaseError) -> [Record] {
    let statement = try start(
      .select(columns: Record.columns, table: Record.table, rest: rest), values)
    defer { statement.reset() }
    var records: [Record] = []
    while try next(statement) { records.append(try read(statement)) }
    return records
  }

  package func insert<Record: TableRow>(_ record: Record, of sandbox: Int) throws(DatabaseError) {
    let statement = try prepare(
      .insert(columns: Record.columns, table: Record.table, hasRecordKey: Record.hasRecordKey))
    defer { statement.reset() }
    var row = ColumnWriter(statement)
    row.write(sandbox)
    record.write(to: &row)
    try finishBinding(of: statement, row.count)
    while try next(statement) {}
  }

  func read<Record: TableRow>(_ statement: Statement) throws(DatabaseError) -> Record {
    var row = ColumnReader(Row(statement))
    return try Record(from: &row)
  }
}

/// Reads the columns of a row, one after the other.
package struct ColumnReader {
  private let row: Row
  private var column: Int32 = 0

  init(_ row: Row) { self.row = row }

  /// The position of the next column.
  private mutating func next() -> Int32 {
    defer { column += 1 }
    return column
  }

  package mutating func int() -> Int { row.int(next()) }
  package mutating func int64() -> Int64 { row.int64(next()) }
  package mutating func bool() -> Bool { row.bool(next()) }
  package mutating func text() -> String { row.text(next()) }
  package mutating func blob() -> [UInt8] { row.blob(next()) }
  package mutating func optionalInt() -> Int? { row.optionalInt(next()) }
  package mutating func optionalInt64() -> Int64? { row.optionalInt64(next()) }
  package mutating func optionalText() -> String? { row.optionalText(next()) }
  /// For a column that is only searched.
  package mutating func skip() { column += 1 }
}

/// Writes the columns of a row, one after the other.
package struct ColumnWriter {
  let statement: Statement
  var count: Int32 = 0

  init(_ statement: Statement) { self.statement = statement }

  package mutating func write(_ value: Int?) { value.bind(to: next()) }
  package mutating func write(_ value: Int64?) { value.bind(to: next()) }
  package mutating func write(_ value: Bool?) { value.bind(to: next()) }
  package mutating func write(_ value: String?) { value.bind(to: next()) }
  package mutating func write(_ value: [UInt8]?) { value.bind(to: next()) }

  private mutating func next() -> Parameter {
    count += 1
    return Parameter(statement, count)
  }
}
