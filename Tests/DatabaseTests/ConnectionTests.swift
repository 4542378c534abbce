import Database
import Testing

@Suite("Connection")
struct ConnectionTests {
  @Test("what is written in a savepoint is read back")
  func roundTrip() throws {
    let database = try Connection(.memory)
    try database.execute(script: "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) STRICT")

    try database.savepoint { try database.run("INSERT INTO t VALUES (?, ?)", 1, "one") }
    try database.commit()

    #expect(try database.first("SELECT b FROM t WHERE a = ?", 1) { $0.text(0) } == "one")
  }
}
