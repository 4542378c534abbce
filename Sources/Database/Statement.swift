internal import CSQLite

/// A compiled statement; a class because it owns what SQLite compiled.
final class Statement {
  /// SQLite's own object.
  let handle: OpaquePointer
  /// The text it was compiled from.
  let sql: StaticString
  /// Whether stepping it may change the database.
  let isWriting: Bool
  /// Whether someone is between binding and `reset`, so that nobody else may start it.
  private(set) var isInUse = false
  private let parameterCount: Int32

  /// Compiles the first statement of a text.
  init(_ sql: StaticString, on connection: OpaquePointer) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code = sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount) {
      sqlite3_prepare_v3(
        connection, $0, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    }
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(connection, code: code, sql: "\(sql)")
    }
    self.handle = handle
    self.sql = sql
    self.isWriting = sqlite3_stmt_readonly(handle) == 0
    self.parameterCount = sqlite3_bind_parameter_count(handle)
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Takes the statement into use with a value for each of its parameters.
  func bind(_ values: [any Bindable]) throws(DatabaseError) {
    precondition(values.count == parameterCount, "\(parameterCount) values needed: \(sql)")
    isInUse = true
    for index in 0..<values.count {
      let code = bind(values[index].sqlValue, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  /// Goes on to the next row; `false` when there is none.
  func step() throws(DatabaseError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw failure(code) }
    return false
  }

  /// Gives the statement back: it holds no lock and no row any more.
  func reset() {
    // The code repeats the error that `step` has thrown.
    sqlite3_reset(handle)
    isInUse = false
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let value): return sqlite3_bind_int64(handle, index, value)
    case .real(let value): return sqlite3_bind_double(handle, index, value)
    case .text(var value):
      return value.withUTF8 { bind(text: UnsafeRawBufferPointer($0), at: index) }
    case .utf8(let bytes): return bytes.withUnsafeBytes { bind(text: $0, at: index) }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), csqlite_transient())
      }
    }
  }

  private func bind(text: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
    // No address would bind NULL instead of an empty text.
    guard let start = text.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, nil) }
    return sqlite3_bind_text64(
      handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), csqlite_transient(),
      UInt8(SQLITE_UTF8))
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(sqlite3_db_handle(handle), code: code, sql: "\(sql)")
  }
}
