import Database
import Domain
import Support
import Testing

@Suite("Domain · the database's schema")
struct DatabaseSchemaTests {
  /// What a later release might do: rebuild a table with a column more, which rows get from another one.
  private let later = Migration(
    version: DatabaseSchema.version + 1, name: "countries of events",
    sql: """
      CREATE TABLE events_with_country (
        key INTEGER PRIMARY KEY, sandbox INTEGER AS (key >> 40), ordinal INTEGER AS (key & 0xFFFFFFFFFF),
        at INTEGER NOT NULL, kind TEXT NOT NULL, provider TEXT NOT NULL, subject INTEGER NOT NULL,
        destination TEXT NOT NULL, prefix TEXT NOT NULL
      ) STRICT;
      INSERT INTO events_with_country (key, at, kind, provider, subject, destination, prefix)
        SELECT key, at, kind, provider, subject, destination, substr(destination, 1, 2) FROM events;
      DROP TABLE events;
      ALTER TABLE events_with_country RENAME TO events;
      """)

  @Test("the data folder of this version gets the next migration, and keeps its rows")
  func next() throws {
    let folder = try TemporaryDirectory()
    let before = try World(folder.database)
    try before.start()
    try before.sandbox.advance(by: .seconds(3600))
    let prefixes = try before.database.all("SELECT substr(destination, 1, 2) FROM events") { $0.text(0) }
    let verifications = try before.sandbox.verifications.all()
    try before.database.commit()
    before.close()

    let database = try Database(folder.database)
    try database.migrate(DatabaseSchema.migrations + [later])

    #expect(Set(prefixes) == ["+1"])
    #expect(try database.all("SELECT prefix FROM events") { $0.text(0) } == prefixes)
    #expect(
      try database.all("SELECT code FROM verifications") { $0.text(0) } == verifications.map(\.code))
    #expect(try database.schemaVersion == DatabaseSchema.version + 1)
  }
}
