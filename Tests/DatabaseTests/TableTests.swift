import Database
import Testing

@Suite("Tables")
struct TableTests {
  let database: Database

  init() throws {
    database = try Database(.memory)
    try database.execute(
      script: """
        CREATE TABLE a_child (owner INTEGER NOT NULL, part INTEGER NOT NULL, data BLOB, note TEXT NOT NULL,
          PRIMARY KEY (owner, part), FOREIGN KEY (owner) REFERENCES b_parent (id)) STRICT, WITHOUT ROWID;
        CREATE TABLE b_parent (id INTEGER PRIMARY KEY) STRICT;
        INSERT INTO b_parent VALUES (1), (2);
        """)
  }

  private func child() throws -> Table {
    try #require(try database.tables().first { $0.name == "a_child" }).without("owner")
  }

  @Test("a table comes after those that it refers to")
  func order() throws {
    #expect(try database.tables().map(\.name) == ["b_parent", "a_child"])
  }

  @Test("columns have their names, types and NULLs")
  func columns() throws {
    #expect(
      try child().columns == [
        .init(name: "part", type: .integer), .init(name: "data", type: .blob, isOptional: true),
        .init(name: "note", type: .text),
      ])
  }

  @Test("rows are read as they were inserted, in the order of the key")
  func rows() throws {
    let rows: [[ColumnValue]] = [
      [.integer(.max), .blob([0, 255]), .text("é\0€")], [.integer(.min), .null, .text("")],
      [.integer(0), .blob([]), .text("x")],
    ]
    try database.insert(rows, into: child(), where: "owner", is: 1) { $1 }
    try database.insert([rows[0]], into: child(), where: "owner", is: 2) { $1 }

    #expect(
      try database.rows(of: child(), where: "owner", is: 1, limit: 9) == [rows[1], rows[2], rows[0]])
    #expect(
      try database.rows(of: child(), where: "owner", is: 1, after: rows[1], limit: 1) == [rows[2]])
  }

  @Test("rows of one owner are deleted a few at a time")
  func deletion() throws {
    let rows: [[ColumnValue]] = (1...3).map { [.integer($0), .null, .text("x")] }
    for owner in [1, 2] { try database.insert(rows, into: child(), where: "owner", is: owner) { $1 } }

    let counts = try (1...3).map { _ in
      try database.deleteRows(of: child(), where: "owner", is: 1, limit: 2)
    }

    #expect(counts == [2, 1, 0])
    #expect(try database.rows(of: child(), where: "owner", is: 2, limit: 9) == rows)
  }

  @Test("an insert names the row that the table does not accept, and can be undone")
  func failure() throws {
    struct Failure: Error { let row: Int }
    let row: [ColumnValue] = [.integer(1), .null, .text("x")]

    let error = #expect(throws: Failure.self) {
      try database.savepoint {
        try database.insert([row, row], into: child(), where: "owner", is: 1) { row, error in
          #expect(error.isConstraint)
          return Failure(row: row)
        }
      }
    }

    #expect(error?.row == 1)
    #expect(try database.first("SELECT count(*) FROM a_child") { $0.int(0) } == 0)
  }

  @Test("an update changes the rows of one owner")
  func update() throws {
    let rows: [[ColumnValue]] = [[.integer(1), .null, .text("x")]]
    for owner in [1, 2] { try database.insert(rows, into: child(), where: "owner", is: owner) { $1 } }

    try database.update(
      child().without("part"), to: [.blob([7]), .text("y")], where: "owner", is: 2)

    #expect(try database.all("SELECT note FROM a_child ORDER BY owner") { $0.text(0) } == ["x", "y"])
  }
}
