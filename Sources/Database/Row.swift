internal import CSQLite

/// The current row of a statement. It is valid only inside the closure that gets it. Columns count from 0;
/// reading NULL traps, except with the functions for optional values.
package struct Row {
  private let statement: OpaquePointer

  init(_ statement: Statement) {
    self.statement = statement.handle
  }

  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  package func int64(_ column: Int32) -> Int64 {
    precondition(!isNull(column), "column \(column) is NULL")
    return sqlite3_column_int64(statement, column)
  }

  package func int(_ column: Int32) -> Int { Int(int64(column)) }

  package func bool(_ column: Int32) -> Bool { int64(column) != 0 }

  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else {
      preconditionFailure("column \(column) is NULL")
    }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes of a blob or of a text in UTF-8; empty for NULL.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  package func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}
