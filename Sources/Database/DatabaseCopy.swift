internal import CSQLite

/// Copies a file into another one, while another connection writes it.
///
/// `@unchecked Sendable`: one thread at a time makes copies, and `interrupt` may be called on any.
package final class DatabaseCopy: @unchecked Sendable {
  private let connection: Database
  private let handle: OpaquePointer
  /// The version of the data in the last copy; nil before the first.
  private var copied: Int?

  package init(path: String) throws(DatabaseError) {
    connection = try Database(.file(path: path), keepsLog: true)
    handle = connection.handle
  }

  /// Writes everything that is committed to a file, which is new or empty, and waits for the disk. The log
  /// cannot start again meanwhile. Returns false, and writes nothing, if nothing was committed since the last
  /// copy.
  package func write(to path: String) throws(DatabaseError) -> Bool {
    connection.moveToCurrentThread()
    // Changes with the commits of other connections.
    let version = try connection.first("PRAGMA data_version") { $0.int(0) }
    guard version != copied else { return false }
    try connection.vacuum(into: path)
    copied = version
    return true
  }

  /// Ends a copy that is being made with an error.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// Call it on the thread that made the last copy.
  package func close() {
    connection.moveToCurrentThread()
    connection.close()
  }
}

extension Database {
  fileprivate func vacuum(into path: String) throws(DatabaseError) {
    assertOnThread()
    let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    let code = sqlite3_exec(handle, "VACUUM INTO '\(quoted)'", nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(handle, code: code, sql: "VACUUM INTO") }
  }
}
