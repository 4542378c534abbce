import Foundation
import Testing

@testable import Database

/// What a killed process would leave is a copy of the database and its log, without the index of the log in
/// shared memory.
@Suite("Start of the log at its beginning")
struct LogRestartTests {
  private let directory: TemporaryDirectory
  private let writer: Database
  private let mover: Database
  private let restart = LogRestart()

  init() throws {
    directory = try TemporaryDirectory()
    writer = try Database(.file(path: directory.file("x.db")))
    mover = try Database(.file(path: directory.file("x.db")))
    try writer.controlLog(by: restart)
    try mover.controlLog(by: restart)
    try writer.execute(script: "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
  }

  @Test("a log that was moved completely starts again with the next commit")
  func startsAgain() throws {
    try insert(1...100)
    let size = restart.size

    #expect(mover.checkpoint())
    #expect(restart.mayStartAgain)
    try insert(101...101)

    #expect(restart.size < size)
    #expect(!restart.mayStartAgain)
    #expect(try rowsAfterKill() == 101)
  }

  @Test("a log that was not moved by the other connection does not start again")
  func staysWithoutMove() throws {
    try insert(1...100)
    let size = restart.size

    try insert(101...200)

    #expect(restart.size > size)
  }

  @Test("a process that is killed after the header was broken loses nothing")
  func killedWhileBroken() throws {
    try insert(1...100)
    #expect(mover.checkpoint())

    #expect(try rowsAfterKill() == 100)
  }

  @Test("a commit before the end of the wait repairs the header, and goes to the end of the old log")
  func commitDuringWait() throws {
    try insert(1...100)
    let size = restart.size
    let log = directory.file("x.db-wal")
    let header = try FileHandle(forReadingFrom: URL(fileURLWithPath: log)).read(upToCount: 32)
    let ended = try #require(restart.endedTransactions)
    let test = self
    var result = 0
    // As the thread of the checkpointer does, with a commit in between.
    _ = try #require(try? mover.first("PRAGMA wal_checkpoint(PASSIVE)") { $0.int(0) })
    restart.breakHeader(ifEnded: ended) {
      (try? test.flipMark()) != nil
    } waitForDisk: {
      result = (try? test.rowsAfterKill()) ?? 0
      return (try? test.insert(101...101)) != nil
    }

    #expect(result == 100)
    #expect(!restart.mayStartAgain)
    #expect(restart.size > size)
    #expect(try FileHandle(forReadingFrom: URL(fileURLWithPath: log)).read(upToCount: 32) == header)
    #expect(try rowsAfterKill() == 101)
  }

  @Test("a transaction that is open, or has ended since, keeps the header")
  func transactions() throws {
    try insert(1...10)
    let ended = try #require(restart.endedTransactions)
    try writer.savepoint {
      try writer.run("INSERT INTO t (b) VALUES ('x')")
      #expect(restart.endedTransactions == nil)
      restart.breakHeader(ifEnded: ended, write: { true }, waitForDisk: { true })
    }
    #expect(!restart.mayStartAgain)
    try writer.commit()

    restart.breakHeader(ifEnded: ended, write: { true }, waitForDisk: { true })

    #expect(!restart.mayStartAgain)
  }

  @Test("a broken header that a killed process left is repaired before the next page")
  func brokenHeaderOfAnotherProcess() throws {
    try insert(1...10)
    try flipMark()

    let next = try Database(.file(path: directory.file("x.db")))
    try next.controlLog(by: LogRestart())
    try next.run("INSERT INTO t (b) VALUES ('x')")

    #expect(try rowsAfterKill() == 11)
  }

  @Test("an emptied log starts again")
  func emptied() throws {
    try insert(1...100)

    #expect(writer.emptyLog())
    try insert(101...101)

    #expect(try rowsAfterKill() == 101)
    #expect(directory.size(of: "x.db-wal") < 32 << 10)
  }

  @Test("a log that a reader keeps from being emptied has its header repaired before the next page")
  func notEmptied() throws {
    try insert(1...100)
    let reader = try Database(.file(path: directory.file("x.db")))
    try reader.savepoint { _ = try reader.first("SELECT count(*) FROM t") { $0.int(0) } }
    #expect(mover.checkpoint())
    #expect(restart.mayStartAgain)

    #expect(!writer.emptyLog())
    try insert(101...101)

    #expect(try rowsAfterKill() == 101)
    try reader.commit()
  }

  @Test("after any number of rounds, a killed process has every commit")
  func rounds() throws {
    for round in 1...30 {
      try insert((round * 10)...(round * 10 + 9))
      if round % 3 != 0 { mover.checkpoint() }
      #expect(try rowsAfterKill() == round * 10)
    }
    #expect(directory.size(of: "x.db-wal") < 200 << 10)
  }

  private func insert(_ numbers: ClosedRange<Int>) throws {
    let text = String(repeating: "x", count: 100)
    for number in numbers {
      try writer.savepoint { try writer.run("INSERT INTO t VALUES (?, ?)", number, text) }
    }
    try writer.commit()
  }

  private func flipMark() throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.file("x.db-wal")))
    let mark = try #require(try file.read(upToCount: 4))
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(mark.map { ~$0 }))
    try file.close()
  }

  private func rowsAfterKill() throws -> Int {
    let copy = try TemporaryDirectory()
    for name in ["x.db", "x.db-wal"] {
      try FileManager.default.copyItem(atPath: directory.file(name), toPath: copy.file(name))
    }
    let database = try Database(.file(path: copy.file("x.db")))
    #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    return try database.first("SELECT count(*) FROM t") { $0.int(0) } ?? 0
  }
}
