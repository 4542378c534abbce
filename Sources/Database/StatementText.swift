/// The text of a statement: a literal, or one that is put together from literals. A text is compiled once,
/// and found again by the addresses of its literals.
enum StatementText {
  case whole(StaticString)
  /// `rest` follows the table: `WHERE sandbox = ?`.
  case select(columns: StaticString, table: StaticString, rest: StaticString)
  /// The parameters are the sandbox and all columns. With a `RecordKey`, the first two of them are one.
  case insert(columns: StaticString, table: StaticString, hasRecordKey: Bool)

  var sql: String {
    switch self {
    case .whole(let text): return "\(text)"
    case .select(let columns, let table, let rest): return "SELECT \(columns) FROM \(table) \(rest)"
    case .insert(let columns, let table, let hasRecordKey):
      let names = "\(columns)".split(separator: ",")
      let places = names.map { _ in ", ?" }.joined()
      guard hasRecordKey else { return "INSERT INTO \(table) (sandbox, \(columns)) VALUES (?\(places))" }
      let others = names.dropFirst().joined(separator: ",")
      let key = "? << \(RecordKey.ordinalBits) | ?"
      return "INSERT INTO \(table) (key,\(others)) VALUES (\(key)\(places.dropFirst(3)))"
    }
  }

  /// The addresses that only this text has: two literals of one text may be the same, and two texts may share
  /// a literal.
  var key: Key {
    switch self {
    case .whole(let text): Key(text: text.utf8Start, columns: nil)
    case .select(let columns, _, let rest): Key(text: rest.utf8Start, columns: columns.utf8Start)
    case .insert(let columns, let table, _): Key(text: table.utf8Start, columns: columns.utf8Start)
    }
  }

  struct Key: Equatable {
    let text: UnsafePointer<UInt8>
    let columns: UnsafePointer<UInt8>?
  }
}
