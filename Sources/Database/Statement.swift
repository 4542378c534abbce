internal import CSQLite

/// A compiled statement. A class because it owns SQLite's object.
package final class Statement {
  let handle: OpaquePointer
  let key: StatementText.Key
  /// True if the statement can change the database.
  let isWriting: Bool
  /// True from `start` to `reset`; until then, it must not be started again.
  private(set) var isInUse = false
  /// Holds the texts of the parameters.
  var scratch = Scratch()
  /// The size of the texts and blobs that are bound.
  private(set) var boundBytes = 0
  private let parameterCount: Int32
  /// If the text has these names, by their addresses: see `names`.
  private var knownNames: [(name: UnsafePointer<UInt8>, isNamed: Bool)] = []
  private var bindingCode = SQLITE_OK

  init(_ text: StatementText, on connection: OpaquePointer) throws(DatabaseError) {
    var handle: OpaquePointer?
    let sql = text.sql
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(connection, code: code, sql: sql)
    }
    self.handle = handle
    self.key = text.key
    self.isWriting = sqlite3_stmt_readonly(handle) == 0
    self.parameterCount = sqlite3_bind_parameter_count(handle)
  }

  deinit {
    sqlite3_finalize(handle)
  }

  var sql: String { String(cString: sqlite3_sql(handle)) }

  /// True if the text has the name of a table.
  func names(_ table: StaticString) -> Bool {
    if let known = knownNames.first(where: { $0.name == table.utf8Start }) { return known.isNamed }
    let isNamed = sql.contains("\(table)")
    knownNames.append((table.utf8Start, isNamed))
    return isNamed
  }

  /// Next, bind each parameter.
  func start() {
    isInUse = true
    scratch.clear()
    boundBytes = 0
  }

  func countBytes(_ count: Int) { boundBytes &+= count }

  /// Remembers the first error of a binding.
  func recordBinding(_ code: Int32) {
    if code != SQLITE_OK, bindingCode == SQLITE_OK { bindingCode = code }
  }

  /// Throws the first error of a binding. `count` is the number of bound values.
  func finishBinding(_ count: Int32) throws(DatabaseError) {
    precondition(count == parameterCount, "\(parameterCount) values needed: \(sql)")
    guard bindingCode != SQLITE_OK else { return }
    let code = bindingCode
    bindingCode = SQLITE_OK
    throw failure(code)
  }

  /// Goes to the next row; returns `false` when there is none.
  func step() throws(DatabaseError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw failure(code) }
    return false
  }

  /// Ends the use of the statement, with its locks and its row.
  func reset() {
    // The result is the error that `step` has already thrown.
    sqlite3_reset(handle)
    isInUse = false
  }

  private func failure(_ code: Int32) -> DatabaseError {
    DatabaseError(sqlite3_db_handle(handle), code: code, sql: sql)
  }
}

/// Compiled statements by the addresses of their text.
///
/// A hash table with open addressing: hashing for a dictionary would cost as much as binding a row.
struct StatementCache {
  private var slots: [Statement?] = Array(repeating: nil, count: 128)
  private var count = 0

  func find(_ key: StatementText.Key) -> Statement? { slots[slot(of: key)] }

  mutating func insert(_ statement: Statement) {
    if count * 2 >= slots.count { grow() }
    slots[slot(of: statement.key)] = statement
    count += 1
  }

  mutating func removeAll() {
    self = StatementCache()
  }

  /// The slot of a text, or the free slot for it.
  private func slot(of key: StatementText.Key) -> Int {
    let address = UInt(bitPattern: key.text)
    let mask = slots.count - 1
    // Multiplying by the golden ratio spreads the addresses.
    var slot = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while let other = slots[slot], other.key != key { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: old.count * 2)
    for case let statement? in old { slots[slot(of: statement.key)] = statement }
  }
}
