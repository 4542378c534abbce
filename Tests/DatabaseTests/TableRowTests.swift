import Database
import Testing

/// A row of the table `notes`, and one of `drafts`, which has the same columns.
private struct Note: TableRow, Equatable {
  static let table: StaticString = "notes"
  static let columns: StaticString = "ordinal, text, author"

  var ordinal: Int
  var text: String
  var author: String?

  init(_ ordinal: Int, _ text: String, by author: String? = nil) {
    (self.ordinal, self.text, self.author) = (ordinal, text, author)
  }

  init(from row: inout ColumnReader) { self.init(row.int(), row.text(), by: row.optionalText()) }

  func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(text)
    row.write(author)
  }
}

private struct Draft: TableRow, Equatable {
  static let table: StaticString = "drafts"
  static let columns: StaticString = "ordinal, size"

  var ordinal: Int
  var size: Int64

  init(_ ordinal: Int, _ size: Int64) { (self.ordinal, self.size) = (ordinal, size) }

  init(from row: inout ColumnReader) { self.init(row.int(), row.int64()) }

  func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(size)
  }
}

@Suite("Rows of tables")
struct TableRowTests {
  private let database: Database

  init() throws {
    database = try Database(.memory)
    try database.execute(
      script: """
        CREATE TABLE notes (sandbox INTEGER, author TEXT, text TEXT, ordinal INTEGER) STRICT;
        CREATE TABLE drafts (sandbox INTEGER, size INTEGER, ordinal INTEGER) STRICT;
        """)
  }

  @Test("a record is read as it was inserted, whatever the order of the table's columns is")
  func roundTrip() throws {
    try database.insert(Note(1, "é", by: "Ada"), of: 7)
    try database.insert(Note(2, ""), of: 7)
    try database.insert(Note(3, "other"), of: 8)

    #expect(
      try database.all(Note.self, "WHERE sandbox = ? ORDER BY ordinal", 7) == [
        Note(1, "é", by: "Ada"), Note(2, ""),
      ])
    #expect(try database.first(Note.self, "WHERE author = ?", "Ada") == Note(1, "é", by: "Ada"))
    #expect(try database.first(Note.self, "WHERE author = ?", "Bob") == nil)
  }

  @Test("the same rest of a SELECT reads another table for another record")
  func tables() throws {
    try database.insert(Note(1, "note"), of: 7)
    try database.insert(Draft(1, 1 << 40), of: 7)

    for _ in 0..<2 {
      #expect(try first(Note.self, 1) == Note(1, "note"))
      #expect(try first(Draft.self, 1) == Draft(1, 1 << 40))
    }
  }

  @Test("an error has the whole text of the statement")
  func failure() throws {
    let error = #expect(throws: DatabaseError.self) { try database.all(Note.self, "WHERE nobody = ?", 1) }

    #expect(error?.sql == "SELECT ordinal, text, author FROM notes WHERE nobody = ?")
  }

  @Test("a late row changes in memory, and is written at the end of its savepoint")
  func late() throws {
    try database.savepoint {
      try database.insertLate(Note(1, "first"), of: 7)
      let rows = database.writtenRows
      #expect(changeLate(1, to: "second"))
      #expect(!changeLate(2, to: "second"))
      #expect(database.late(Note.self) == [Note(1, "second")])
      #expect(database.late(Draft.self).isEmpty)
      #expect(database.writtenRows == rows)
    }

    #expect(!changeLate(1, to: "third"))
    #expect(try first(Note.self, 1) == Note(1, "second"))
    try database.insertLate(Note(2, "at once"), of: 7)
    #expect(!changeLate(2, to: "late"))
  }

  @Test("late rows are written before a statement names the table of one, and before another savepoint")
  func lateRead() throws {
    try database.savepoint {
      try database.insertLate(Note(1, "note"), of: 7)
      try database.insertLate(Draft(2, 3), of: 7)
      try database.run("CREATE TABLE others (size INTEGER)")
      #expect(changeLate(1, to: "changed"))
      #expect(try first(Draft.self, 2) == Draft(2, 3))
      #expect(!changeLate(1, to: "late"))
      try database.insertLate(Note(3, "outer"), of: 7)
      try? database.savepoint {
        #expect(!changeLate(3, to: "late"))
        try database.insertLate(Note(4, "inner"), of: 7)
        throw ResponseError()
      }
    }

    #expect(try first(Note.self, 1) == Note(1, "changed"))
    #expect(try first(Note.self, 3) == Note(3, "outer"))
    #expect(try first(Note.self, 4) == nil)
  }

  private func changeLate(_ ordinal: Int, to text: String) -> Bool {
    database.changeLate(Note.self, where: { $0.ordinal == ordinal }) { $0.text = text }
  }

  /// One literal for all records.
  private func first<Record: TableRow>(_ type: Record.Type, _ ordinal: Int) throws -> Record? {
    try database.first(type, "WHERE ordinal = ?", ordinal)
  }
}
