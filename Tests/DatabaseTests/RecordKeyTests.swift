import Database
import Testing

/// A row of a table with a record key.
private struct Call: TableRow, Equatable {
  static let table: StaticString = "calls"
  static let columns: StaticString = "ordinal, text"
  static let hasRecordKey = true

  var ordinal: Int
  var text: String

  init(_ ordinal: Int, _ text: String) { (self.ordinal, self.text) = (ordinal, text) }

  init(from row: inout ColumnReader) { self.init(row.int(), row.text()) }

  func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(text)
  }
}

@Suite("Record keys")
struct RecordKeyTests {
  private static let schema = """
    CREATE TABLE calls (
      key INTEGER PRIMARY KEY, sandbox INTEGER AS (key >> 40), ordinal INTEGER AS (key & 0xFFFFFFFFFF),
      text TEXT NOT NULL) STRICT;
    """

  private let database: Database

  init() throws {
    database = try Database(.memory)
    try database.execute(script: Self.schema)
    for ordinal in 1...3 { try database.insert(Call(ordinal, "\(ordinal)"), of: 7) }
    try database.insert(Call(1, "other"), of: 8)
  }

  private func calls() throws -> Table {
    try #require(try database.tables().first).without("sandbox")
  }

  @Test("records of a sandbox are between the keys before and after them")
  func order() throws {
    let read = { (after: Int, before: Int) in
      try database.all(
        Call.self, "WHERE key > ? AND key < ? ORDER BY key", RecordKey(7, after), RecordKey(7, before)
      ).map(\.ordinal)
    }

    #expect(try read(0, .max) == [1, 2, 3])
    #expect(try read(.min, RecordKey.endOfOrdinals) == [1, 2, 3])
    #expect(try read(1, 3) == [2])
    #expect(try database.first(Call.self, "WHERE key = ?", RecordKey(8, 1)) == Call(1, "other"))
    #expect(try database.first(Call.self, "WHERE key = ?", RecordKey(8, 2)) == nil)
  }

  @Test("the highest sandbox and ordinal have a key of their own")
  func limits() throws {
    let last = Call(RecordKey.endOfOrdinals - 1, "last")
    try database.insert(last, of: RecordKey.lastSandbox)

    #expect(
      try database.first(Call.self, "WHERE key < ? ORDER BY key DESC", RecordKey(RecordKey.lastSandbox, .max))
        == last)
    #expect(
      try database.first("SELECT sandbox FROM calls ORDER BY key DESC") { $0.int(0) }
        == RecordKey.lastSandbox)
  }

  @Test("a table has the ordinal as a column, and no key")
  func columns() throws {
    #expect(
      try calls().columns == [.init(name: "ordinal", type: .integer), .init(name: "text", type: .text)])
  }

  @Test("rows of one sandbox are read in pages, copied, counted and deleted")
  func rows() throws {
    let first = try database.rows(of: calls(), where: "sandbox", is: 7, limit: 2)
    #expect(first == [[.integer(1), .text("1")], [.integer(2), .text("2")]])
    let rest = try database.rows(of: calls(), where: "sandbox", is: 7, after: first[1], limit: 2)
    #expect(rest == [[.integer(3), .text("3")]])

    try database.insert(first + rest, into: calls(), where: "sandbox", is: 9) { $1 }
    #expect(try database.rows(of: calls(), where: "sandbox", is: 9, limit: 9) == first + rest)
    let (seventh, ninth) = try (
      database.size(of: calls(), where: "sandbox", is: 7), database.size(of: calls(), where: "sandbox", is: 9)
    )
    #expect(seventh == ninth)
    #expect(seventh.rows == 3)

    let counts = try (1...3).map { _ in
      try database.deleteRows(of: calls(), where: "sandbox", is: 7, limit: 2)
    }
    #expect(counts == [2, 1, 0])
    #expect(try database.rows(of: calls(), where: "sandbox", is: 9, limit: 9) == first + rest)
    #expect(try database.rows(of: calls(), where: "sandbox", is: 8, limit: 9).count == 1)
  }

  @Test("a second record with an ordinal is an error")
  func twice() throws {
    let error = #expect(throws: DatabaseError.self) { try database.insert(Call(1, "again"), of: 7) }
    #expect(error?.isConstraint == true)
  }

  @Test("a copied row needs an ordinal that a record can have", arguments: [0, -1, 1 << 40])
  func badOrdinal(ordinal: Int64) throws {
    let error = #expect(throws: DatabaseError.self) {
      try database.insert([[.integer(ordinal), .text("x")]], into: calls(), where: "sandbox", is: 9) { $1 }
    }
    #expect(error?.isConstraint == true)
  }

  @Test("a commit of three records changes fewer than two pages")
  func pages() throws {
    let folder = try TemporaryDirectory()
    let database = try Database(.file(path: folder.file("x.db")))
    try database.execute(script: Self.schema)
    try database.commit()
    let before = database.walBytes

    for commit in 0..<200 {
      try database.savepoint {
        for number in 1...3 {
          try database.insert(Call(commit * 3 + number, String(repeating: "x", count: 200)), of: 7)
        }
      }
      try database.commit()
    }

    #expect((database.walBytes - before) / 200 < 2 * 2048)
  }
}
