import Database
import Testing

@Suite("Statements")
struct StatementTests {
  @Test("every kind of value is read as it was bound")
  func values() throws {
    let database = try Database(.memory)
    try database.execute(script: "CREATE TABLE t (i INT, j INT, s TEXT, b BLOB, l INT, n INT) STRICT")
    let text: String? = "é\0€😀"

    try database.run(
      "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", Int.min, Int64.max, text, [0, 255] as [UInt8], true,
      Int?.none)

    let isRight = try database.first("SELECT * FROM t") { row in
      row.int(0) == .min && row.int64(1) == .max && row.text(2) == text
        && row.blob(3) == [0, 255] && row.bool(4) && row.isNull(5) && !row.isNull(4)
    }
    #expect(isRight == true)
  }

  @Test("an optional value is nil for NULL only")
  func optionals() throws {
    let database = try Database(.memory)

    let nils = try database.first("SELECT NULL") { row in
      [row.optionalInt(0) == nil, row.optionalInt64(0) == nil, row.optionalText(0) == nil]
    }
    let values = try database.first("SELECT 0, 0, ''") { row in
      [row.optionalInt(0) == 0, row.optionalInt64(1) == 0, row.optionalText(2) == ""]
    }

    #expect(nils == Array(repeating: true, count: 3))
    #expect(values == Array(repeating: true, count: 3))
  }

  @Test("NULL and empty values are different")
  func emptiness() throws {
    let database = try Database(.memory)
    let none: String? = nil

    let types = try database.first(
      "SELECT typeof(?), typeof(?), typeof(?)", none, "", [] as [UInt8]
    ) { row in (0..<3).map { row.text($0) } }

    #expect(types == ["null", "text", "blob"])
  }

  @Test("a long text is stored whole", arguments: [15, 16, 100, 5000, 1_000_000])
  func longTexts(length: Int) throws {
    let database = try Database(.memory)
    let text = String(repeating: "x", count: length)

    #expect(
      try database.first("SELECT ?1, length(?1)", text) { ($0.text(0), $0.int(1)) } ?? ("", 0) == (
        text, length
      ))
  }

  @Test(
    "many texts of one statement are bound correctly, whatever their lengths",
    arguments: [1, 16, 200, 300, 600])
  func manyTexts(length: Int) throws {
    let database = try Database(.memory)
    let texts = ["a", "b", "c", "d"].map { String(repeating: $0, count: length) }

    for _ in 1...2 {
      let back = try database.first("SELECT ?, ?, ?, ?", texts[0], texts[1], texts[2], texts[3]) { row in
        (0..<4).map { row.text($0) }
      }
      #expect(back == texts)
    }
  }

  @Test("a type of our own can be bound")
  func ownTypes() throws {
    struct Number: Bindable, Equatable {
      let digits: String
      func bind(to parameter: Parameter) { digits.bind(to: parameter) }
    }
    let database = try Database(.memory)

    let back = try database.first("SELECT ?", Number(digits: "+1202")) { Number(digits: $0.text(0)) }

    #expect(back == Number(digits: "+1202"))
  }

  @Test("rows are read in order")
  func rows() throws {
    let database = try Database(.memory)

    #expect(try database.all("SELECT value FROM json_each('[3,1,2]')") { $0.int(0) } == [3, 1, 2])
    #expect(try database.all("SELECT value FROM json_each('[]')") { $0.int(0) } == [])
    #expect(try database.first("SELECT value FROM json_each('[]')") { $0.int(0) } == nil)
  }

  @Test("a statement can be used again after a reader has thrown")
  func throwingReaders() throws {
    let database = try Database.family()
    try database.run("INSERT INTO parent VALUES (1, NULL), (2, NULL)")

    #expect(throws: ResponseError()) {
      try database.all("SELECT id FROM parent") { _ throws -> Int in throw ResponseError() }
    }
    #expect(throws: ResponseError()) {
      try database.first("SELECT id FROM parent") { _ throws -> Int in throw ResponseError() }
    }

    // An open reader would keep the table from being dropped.
    try database.execute(script: "DROP TABLE child; DROP TABLE parent")
  }

  @Test("a statement can be used again after an error")
  func failures() throws {
    let database = try Database.family()
    func insert(_ id: Int, _ name: String?) throws {
      try database.run("INSERT INTO parent VALUES (?, ?)", id, name)
    }

    try insert(1, "a")
    let error = #expect(throws: DatabaseError.self) { try insert(2, "a") }
    try insert(3, nil)

    #expect(error?.extendedCode == uniqueConstraint)
    #expect(try database.parents == [1, 3])
  }

  @Test("an error names the statement and never a value")
  func errors() throws {
    let database = try Database.family()
    try database.run("INSERT INTO parent VALUES (1, ?)", "top secret")

    let error = #expect(throws: DatabaseError.self) {
      try database.run("INSERT INTO parent VALUES (2, ?)", "top secret")
    }
    let broken = #expect(throws: DatabaseError.self) { try database.run("SELEC 1") }

    #expect(
      error.map { "\($0)" }
        == "SQLite 2067: UNIQUE constraint failed: parent.name (INSERT INTO parent VALUES (2, ?))")
    #expect(broken?.description == #"SQLite 1: near "SELEC": syntax error (SELEC 1)"#)
  }

  @Test("a statement can be started again while its rows are read")
  func recursion() throws {
    let database = try Database(.memory)
    try database.execute(
      script:
        "CREATE TABLE node (id INTEGER, up INTEGER); INSERT INTO node VALUES (1,0),(2,1),(3,1),(4,2),(5,4)")
    func below(_ id: Int) throws -> [Int] {
      try database.all("SELECT id FROM node WHERE up = ? ORDER BY id", id) {
        [$0.int(0)] + (try below($0.int(0)))
      }
      .flatMap { $0 }
    }

    #expect(try below(0) == [1, 2, 4, 5, 3])
  }

  @Test("a statement with RETURNING returns its row and completes")
  func returning() throws {
    let database = try Database.family()

    let id = try database.first("INSERT INTO parent VALUES (7, NULL), (8, NULL) RETURNING id") { $0.int(0) }

    #expect(id == 7)
    #expect(database.changes == 2)
    #expect(try database.parents == [7, 8])
  }

  @Test("changed rows are counted")
  func changes() throws {
    let database = try Database.family()
    try database.run("INSERT INTO parent VALUES (1, 'a'), (2, 'b'), (3, 'c')")

    try database.run("UPDATE parent SET name = NULL WHERE id > ?", 1)
    let updated = database.changes
    try database.run("DELETE FROM parent WHERE id = ?", 99)

    #expect(updated == 2)
    #expect(database.changes == 0)
  }

  @Test("a hundred statements are cached")
  func manyStatements() throws {
    let database = try Database(.memory)

    for _ in 0..<2 {
      for (index, sql) in Self.hundred.enumerated() {
        #expect(try database.first(sql) { $0.int(0) } == index)
      }
    }
  }

  @Test("too few values trap")
  func missingValue() async {
    await #expect(processExitsWith: .failure) {
      try Database(.memory).run("SELECT ?, ?", 1)
    }
  }

  @Test("an unexpected NULL traps")
  func unexpectedNull() async {
    await #expect(processExitsWith: .failure) {
      _ = try Database(.memory).first("SELECT NULL") { $0.int(0) }
    }
    await #expect(processExitsWith: .failure) {
      _ = try Database(.memory).first("SELECT NULL") { $0.text(0) }
    }
  }

  private static let hundred: [StaticString] = [
    "SELECT 0", "SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4", "SELECT 5", "SELECT 6",
    "SELECT 7", "SELECT 8", "SELECT 9", "SELECT 10", "SELECT 11", "SELECT 12", "SELECT 13",
    "SELECT 14", "SELECT 15", "SELECT 16", "SELECT 17", "SELECT 18", "SELECT 19", "SELECT 20",
    "SELECT 21", "SELECT 22", "SELECT 23", "SELECT 24", "SELECT 25", "SELECT 26", "SELECT 27",
    "SELECT 28", "SELECT 29", "SELECT 30", "SELECT 31", "SELECT 32", "SELECT 33", "SELECT 34",
    "SELECT 35", "SELECT 36", "SELECT 37", "SELECT 38", "SELECT 39", "SELECT 40", "SELECT 41",
    "SELECT 42", "SELECT 43", "SELECT 44", "SELECT 45", "SELECT 46", "SELECT 47", "SELECT 48",
    "SELECT 49", "SELECT 50", "SELECT 51", "SELECT 52", "SELECT 53", "SELECT 54", "SELECT 55",
    "SELECT 56", "SELECT 57", "SELECT 58", "SELECT 59", "SELECT 60", "SELECT 61", "SELECT 62",
    "SELECT 63", "SELECT 64", "SELECT 65", "SELECT 66", "SELECT 67", "SELECT 68", "SELECT 69",
    "SELECT 70", "SELECT 71", "SELECT 72", "SELECT 73", "SELECT 74", "SELECT 75", "SELECT 76",
    "SELECT 77", "SELECT 78", "SELECT 79", "SELECT 80", "SELECT 81", "SELECT 82", "SELECT 83",
    "SELECT 84", "SELECT 85", "SELECT 86", "SELECT 87", "SELECT 88", "SELECT 89", "SELECT 90",
    "SELECT 91", "SELECT 92", "SELECT 93", "SELECT 94", "SELECT 95", "SELECT 96", "SELECT 97",
    "SELECT 98", "SELECT 99",
  ]
}
