internal import CSQLite

/// An error of SQLite. It shows the statement, but never the bound values.
@usableFromInline
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

  /// "SQLite 787: FOREIGN KEY constraint failed (INSERT INTO …)".
  @usableFromInline
  package var description: String {
    "SQLite \(extendedCode): \(message)" + (sql.isEmpty ? "" : " (\(sql))")
  }
}
