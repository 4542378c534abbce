internal import CSQLite

/// A compiled statement; a class because it owns what SQLite compiled.
@usableFromInline
package final class Statement {
  /// SQLite's own object.
  let handle: OpaquePointer
  /// The text it was compiled from.
  let sql: StaticString
  /// Whether stepping it may change the database.
  let isWriting: Bool
  /// Whether someone is between binding and `reset`, so that nobody else may start it.
  private(set) var isInUse = false
  /// Where the texts of its parameters stand.
  var scratch = Scratch()
  private let parameterCount: Int32
  private var bindingCode = SQLITE_OK

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

  /// Takes the statement into use; each of its parameters is to be bound next.
  func begin() {
    isInUse = true
    scratch.clear()
  }

  /// Keeps the first thing that SQLite has against a value.
  func note(_ code: Int32) {
    if code != SQLITE_OK, bindingCode == SQLITE_OK { bindingCode = code }
  }

  /// Sees to it that so many values were bound, and that SQLite took them.
  func finishBinding(_ count: Int32) throws(DatabaseError) {
    precondition(count == parameterCount, "\(parameterCount) values needed: \(sql)")
    guard bindingCode != SQLITE_OK else { return }
    let code = bindingCode
    bindingCode = SQLITE_OK
    throw failure(code)
  }

  /// Goes on to the next row; `false` when there is none.
  func step() throws(DatabaseError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw failure(code) }
    return false
  }

  /// Gives the statement back: it holds no lock and no row any more.
  @usableFromInline
  func reset() {
    // The code repeats the error that `step` has thrown.
    sqlite3_reset(handle)
    isInUse = false
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(sqlite3_db_handle(handle), code: code, sql: "\(sql)")
  }
}
