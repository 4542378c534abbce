import Database
import Testing

@Suite("Database · copies")
struct DatabaseCopyTests {
  let folder: TemporaryDirectory
  let writer: Database
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("data.sqlite")
    writer = try Database(.file(path: path))
    try writer.execute(script: "CREATE TABLE entry (name TEXT) STRICT; PRAGMA user_version = 7")
  }

  private func write(_ name: String) throws {
    try writer.run("INSERT INTO entry VALUES (?)", name)
    try writer.commit()
  }

  private func names(in path: String) throws -> [String] {
    try Database(.file(path: path)).all("SELECT name FROM entry ORDER BY name") { $0.text(0) }
  }

  @Test("a copy has what is committed, and nothing else")
  func committed() throws {
    let copy = try DatabaseCopy(path: path)
    try write("one")
    try writer.savepoint { try writer.run("INSERT INTO entry VALUES (?)", "not committed") }

    let target = folder.file("it's a copy.sqlite")
    #expect(try copy.write(to: target))

    #expect(try names(in: target) == ["one"])
    #expect(try Database(.file(path: target)).schemaVersion == 7)
    copy.close()
  }

  @Test("nothing is written if nothing was committed since the last copy")
  func unchanged() throws {
    let copy = try DatabaseCopy(path: path)
    try write("one")
    #expect(try copy.write(to: folder.file("first.sqlite")))
    #expect(try !copy.write(to: folder.file("second.sqlite")))
    try write("two")
    #expect(try copy.write(to: folder.file("third.sqlite")))
    #expect(try names(in: folder.file("third.sqlite")) == ["one", "two"])
    copy.close()
  }

  @Test("a file with contents is not overwritten")
  func occupied() throws {
    let copy = try DatabaseCopy(path: path)
    #expect(throws: DatabaseError.self) { try copy.write(to: path) }
    try write("one")
    #expect(try names(in: path) == ["one"])
    copy.close()
  }
}
