import Database
import Foundation
import Testing

@Suite("Database · integrity and space")
struct IntegrityTests {
  let folder: TemporaryDirectory
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("data.sqlite")
    let database = try Database(.file(path: path))
    try database.execute(
      script:
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT) STRICT; CREATE INDEX by_name ON entry (name)")
    for number in 1...500 { try database.run("INSERT INTO entry VALUES (?, ?)", number, "name \(number)") }
    try database.commit()
    database.close()
  }

  private func damageFile() throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 2 * 4096)
    try file.write(contentsOf: [UInt8](repeating: 0xFF, count: 64))
    try file.close()
  }

  @Test("a valid database has no problems")
  func valid() throws {
    let database = try Database(.file(path: path))
    #expect(database.problems(.quick).isEmpty)
    #expect(database.problems(.full).isEmpty)
  }

  @Test("damage is found", arguments: [true, false])
  func damaged(isQuick: Bool) throws {
    try damageFile()
    let database = try Database(.file(path: path))
    #expect(!database.problems(isQuick ? .quick : .full).isEmpty)
  }

  @Test("the check in the background reports damage")
  func background() async throws {
    try damageFile()
    let (reports, reporter) = AsyncStream.makeStream(of: [String].self)
    let check = try IntegrityCheck(path: path) { reporter.yield($0) }
    var iterator = reports.makeAsyncIterator()
    let problems = await iterator.next()
    check.stop()
    #expect(problems?.isEmpty == false)
  }

  @Test("a check that is stopped ends without a report")
  func stopped() throws {
    let check = try IntegrityCheck(path: path) { _ in Issue.record("a valid database") }
    check.stop()
    check.stop()
  }

  @Test("the reserve takes space until it is released")
  func reserve() throws {
    let reserve = DiskReserve(forDatabase: path)
    reserve.hold()
    #expect(folder.size(of: "reserve") >= 64 << 10)

    reserve.release()
    #expect(folder.size(of: "reserve") == 0)
  }

  @Test("emptying the log with the reserve keeps the rows and allocates the reserve again")
  func emptying() throws {
    let database = try Database(.file(path: path))
    try database.run("DELETE FROM entry WHERE id > ?", 10)
    try database.commit()
    #expect(folder.size(of: "data.sqlite-wal") > 0)

    database.emptyLog(using: DiskReserve(forDatabase: path))

    #expect(folder.size(of: "data.sqlite-wal") == 0)
    #expect(folder.size(of: "reserve") > 0)
    #expect(try database.first("SELECT count(*) FROM entry") { $0.int(0) } == 10)
  }

  @Test("a log that the disk has no room for leaves the reserve alone, for the next start")
  func tooLarge() throws {
    let database = try Database(.file(path: path))
    let reserve = DiskReserve(forDatabase: path)
    reserve.hold()
    let size = folder.size(of: "data.sqlite")
    try database.run("CREATE TABLE more (text TEXT)")
    for _ in 0..<100 { try database.run("INSERT INTO more VALUES (?)", String(repeating: "x", count: 2_000)) }
    try database.commit()
    let growth = database.growthByLog
    #expect(growth > 200_000)

    database.emptyLog(using: reserve, room: growth - 1)
    #expect(folder.size(of: "data.sqlite") == size)
    #expect(folder.size(of: "data.sqlite-wal") > growth)
    #expect(folder.size(of: "reserve") > 0)

    database.emptyLog(using: reserve, room: growth)
    #expect(folder.size(of: "data.sqlite") == size + growth)
    #expect(folder.size(of: "data.sqlite-wal") == 0)
    #expect(database.growthByLog == 0)
  }
}
