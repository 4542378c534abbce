internal import CSQLite

/// An error of SQLite. It shows the statement, but never the bound values.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
  /// The primary result code, as in sqlite.org/rescode.html.
  package let code: Int32
  /// The extended result code: which constraint, which input or output.
  package let extendedCode: Int32
  /// SQLite's own message.
  package let message: String
  /// The failed statement; empty if there was none.
  package let sql: String

  package init(extendedCode: Int32, message: String, sql: String) {
    self.code = extendedCode & 0xFF
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// The last error of a connection.
  init(_ handle: OpaquePointer?, code: Int32, sql: String) {
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    self.init(
      extendedCode: extended & 0xFF == code & 0xFF ? extended : code,
      message: message.map { String(cString: $0) } ?? "", sql: sql)
  }

  /// True if the disk has no room left for the database or its companions.
  package var isDiskFull: Bool { code == SQLITE_FULL || extendedCode == Self.noRoomForIndex }

  /// SQLITE_IOERR_SHMSIZE: the index of the write-ahead log could not grow. The module does not import macros
  /// that compute values.
  private static let noRoomForIndex = SQLITE_IOERR | 19 << 8

  /// True if the file is damaged or no database.
  package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

  /// A stored value that this program cannot have written.
  package static func damagedValue(_ value: String, expected: String) -> DatabaseError {
    DatabaseError(
      extendedCode: SQLITE_CORRUPT, message: "damaged row: expected \(expected), found \"\(value)\"", sql: "")
  }

  /// "SQLite 787: FOREIGN KEY constraint failed (INSERT INTO …)".
  package var description: String {
    "SQLite \(extendedCode): \(message)" + (sql.isEmpty ? "" : " (\(sql))")
  }
}
