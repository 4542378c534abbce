internal import CSQLite

/// The row a statement stands on; valid only inside the closure that is given it. Columns count from 0.
@usableFromInline
package struct Row {
  private let statement: OpaquePointer

  /// Looks at the row that a stepped statement stands on.
  @usableFromInline
  init(_ statement: Statement) {
    self.statement = statement.handle
  }

  /// Whether a column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// An integer; the column is never NULL.
  package func int64(_ column: Int32) -> Int64 {
    precondition(!isNull(column), "column \(column) is NULL")
    return sqlite3_column_int64(statement, column)
  }

  /// An integer; the column is never NULL.
  package func int(_ column: Int32) -> Int { Int(int64(column)) }

  /// An integer other than 0; the column is never NULL.
  package func bool(_ column: Int32) -> Bool { int64(column) != 0 }

  /// A number; the column is never NULL.
  package func double(_ column: Int32) -> Double {
    precondition(!isNull(column), "column \(column) is NULL")
    return sqlite3_column_double(statement, column)
  }

  /// A text; the column is never NULL.
  package func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else {
      preconditionFailure("column \(column) is NULL")
    }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes of a blob, or of a text in UTF-8; none when the column is NULL.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// An integer, `nil` for NULL.
  package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  /// An integer, `nil` for NULL.
  package func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  /// An integer other than 0, `nil` for NULL.
  package func optionalBool(_ column: Int32) -> Bool? { isNull(column) ? nil : bool(column) }

  /// A number, `nil` for NULL.
  package func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

  /// A text, `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// The bytes of a blob or text, `nil` for NULL.
  package func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
