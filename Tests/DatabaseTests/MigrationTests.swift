import Database
import Testing

@Suite("Migrations")
struct MigrationTests {
  private let first = Migration(
    version: 1, name: "parents", sql: "CREATE TABLE parent (id INTEGER PRIMARY KEY)")
  private let second = Migration(
    version: 2, name: "names",
    sql: "ALTER TABLE parent ADD COLUMN name TEXT; INSERT INTO parent VALUES (1, 'a')")

  @Test("a new database gets all migrations, in order")
  func new() throws {
    let database = try Database(.memory)

    try database.migrate([first, second])

    #expect(try database.schemaVersion == 2)
    #expect(try database.first("SELECT name FROM parent") { $0.text(0) } == "a")
  }

  @Test("an older database gets the missing migrations, each once")
  func older() throws {
    let database = try Database(.memory)
    try database.migrate([first])

    try database.migrate([first, second])
    try database.migrate([first, second])

    #expect(try database.schemaVersion == 2)
    #expect(try database.parents == [1])
  }

  @Test("versions may leave gaps")
  func gaps() throws {
    let database = try Database(.memory)

    try database.migrate([first, Migration(version: 20, name: "later", sql: second.sql)])

    #expect(try database.schemaVersion == 20)
  }

  @Test("a database that is newer than the program is rejected and not changed")
  func newer() throws {
    let database = try Database(.memory)
    try database.migrate([first, second])

    let error = #expect(throws: DatabaseError.self) { try database.migrate([first]) }

    #expect(
      error?.message
        == "the database has schema version 2, but this program supports only 1; use a newer version of ringfence"
    )
    #expect(try database.parents == [1])
  }

  @Test("a database from before the first migration is rejected and not changed")
  func tooOld() throws {
    let database = try Database(.memory)
    try database.migrate([first])

    let error = #expect(throws: DatabaseError.self) { try database.migrate([second]) }

    #expect(
      error?.message
        == "the database has schema version 1, which no release of ringfence has written; use a new data folder"
    )
    #expect(try database.schemaVersion == 1)
  }

  @Test("a failed migration leaves the version before it")
  func failing() throws {
    let database = try Database(.memory)
    let broken = Migration(
      version: 2, name: "broken", sql: "INSERT INTO parent VALUES (1); INSERT INTO nobody VALUES (1)")

    let error = #expect(throws: DatabaseError.self) { try database.migrate([first, broken]) }

    #expect(error?.message == "migration 2 (broken): no such table: nobody")
    #expect(try database.schemaVersion == 1)
    #expect(try database.parents == [])
    #expect(!database.isInTransaction)
    #expect(try database.first("PRAGMA foreign_keys") { $0.int(0) } == 1)
  }

  @Test("a table with references to it may be rebuilt")
  func rebuilding() throws {
    let database = try Database(.memory)
    let child = Migration(
      version: 2, name: "children",
      sql:
        "CREATE TABLE child (p REFERENCES parent); INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1)"
    )
    let rebuild = Migration(
      version: 3, name: "rebuild",
      sql: """
        CREATE TABLE parent2 (id INTEGER PRIMARY KEY, extra TEXT); INSERT INTO parent2 SELECT id, NULL FROM parent;
        DROP TABLE parent; ALTER TABLE parent2 RENAME TO parent
        """)

    try database.migrate([first, child, rebuild])

    #expect(try database.parents == [1])
    #expect(try database.first("PRAGMA foreign_keys") { $0.int(0) } == 1)
    #expect(throws: DatabaseError.self) { try database.run("DELETE FROM parent") }
  }

  @Test("a migration that leaves dangling references is rejected")
  func danglingReferences() throws {
    let database = try Database(.memory)
    let dangling = Migration(
      version: 2, name: "dangling",
      sql: "CREATE TABLE child (p REFERENCES parent); INSERT INTO child VALUES (9)")

    let error = #expect(throws: DatabaseError.self) { try database.migrate([first, dangling]) }

    #expect(error?.message == "migration 2 (dangling): rows of child refer to missing ones")
    #expect(try database.schemaVersion == 1)
  }
}
