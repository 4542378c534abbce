internal import CSQLite

/// A refusal by SQLite; it shows the statement, never the values bound to it.
@usableFromInline
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
  /// The primary result code, as in sqlite.org/rescode.html.
  package let code: Int32
  /// The extended result code: which constraint, which input or output.
  package let extendedCode: Int32
  /// SQLite's own words.
  package let message: String
  /// The statement that was refused; empty where there was none.
  package let sql: String

  /// Puts a result code, the message with it and the statement together.
  package init(extendedCode: Int32, message: String, sql: String) {
    self.code = extendedCode & 0xFF
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// Takes the message that the connection keeps for its last error.
  init(_ handle: OpaquePointer?, code: Int32, sql: String) {
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    self.init(
      extendedCode: extended & 0xFF == code & 0xFF ? extended : code,
      message: message.map { String(cString: $0) } ?? "", sql: sql)
  }

  /// Whether a rule of the schema refused the statement: uniqueness, a check, a foreign key.
  package var isConstraint: Bool { code == SQLITE_CONSTRAINT }

  /// Whether it was a primary key or unique index.
  package var isUniqueness: Bool {
    extendedCode == SQLITE_CONSTRAINT | 8 << 8 || extendedCode == SQLITE_CONSTRAINT | 6 << 8
  }

  /// "SQLite 787: FOREIGN KEY constraint failed (INSERT INTO …)".
  @usableFromInline
  package var description: String {
    "SQLite \(extendedCode): \(message)" + (sql.isEmpty ? "" : " (\(sql))")
  }
}
