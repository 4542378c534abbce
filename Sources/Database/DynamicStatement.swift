internal import CSQLite

/// A statement whose text is computed. A class because it owns SQLite's object.
final class DynamicStatement {
  private unowned let database: Database
  private let handle: OpaquePointer
  private let sql: String

  init(_ sql: String, on database: Database) throws(DatabaseError) {
    database.assertOnThread()
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v2(database.handle, sql, -1, &handle, nil)
    guard code == SQLITE_OK, let handle else { throw DatabaseError(database.handle, code: code, sql: sql) }
    self.database = database
    self.handle = handle
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  /// Starts again with other parameters.
  func bind(_ values: [ColumnValue]) throws(DatabaseError) {
    try database.writeLateRows()
    reset()
    for (place, value) in zip(Int32(1)..., values) {
      let code = bind(value, to: place)
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  private func bind(_ value: ColumnValue, to place: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let value): return sqlite3_bind_int64(handle, place, value)
    case .text(var text):
      return text.withUTF8 { bytes in
        guard let start = bytes.baseAddress else { return sqlite3_bind_text(handle, place, "", 0, nil) }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            handle, place, $0, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, place, $0.baseAddress, UInt64($0.count), csqlite_transient())
      }
    }
  }

  /// Ends the use of the statement, with its locks and its row.
  func reset() { sqlite3_reset(handle) }

  /// Goes to the next row; false if there is none.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// The values of the current row.
  func row(count: Int) -> [ColumnValue] {
    (0..<Int32(count)).map { column in
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
      case SQLITE_TEXT: .text(String(decoding: bytes(column), as: UTF8.self))
      case SQLITE_BLOB: .blob(bytes(column))
      default: .null
      }
    }
  }

  private func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  private func failure(_ code: Int32) -> DatabaseError {
    database.recorded(DatabaseError(database.handle, code: code, sql: sql))
  }
}
