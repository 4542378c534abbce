import Database
import Testing

/// The code in doc comments of Database.
@Suite("Database · uses")
struct UsesTests {
  @Test("the first row is decoded")
  func first() throws {
    let (database, ordinal) = (try Database(.memory), 7)
    try database.execute(
      script: """
        CREATE TABLE verifications (ordinal INTEGER PRIMARY KEY, state TEXT, checks INTEGER);
        INSERT INTO verifications VALUES (7, 'pending', 2)
        """)

    let sql: StaticString = "SELECT state, checks FROM verifications WHERE ordinal = ?"
    let verification = try database.first(sql, ordinal) { row in
      (state: row.text(0), checks: row.int(1))
    }

    #expect(verification?.state == "pending")
    #expect(verification?.checks == 2)
  }
}
