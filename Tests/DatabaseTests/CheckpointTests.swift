import Database
import Foundation
import Testing

@Suite("Checkpoints")
struct CheckpointTests {
  private let directory: TemporaryDirectory
  private let database: Database

  init() throws {
    directory = try TemporaryDirectory()
    database = try Database(.file(path: directory.file("x.db")))
    try database.execute(script: "CREATE TABLE t (a TEXT)")
  }

  @Test("commits alone leave everything in the log")
  func noAutomaticCheckpoint() throws {
    try write(megabytes: 8)

    #expect(database.walBytes > 8 << 20)
    #expect(directory.size(of: "x.db") <= 4096)
  }

  @Test("a log larger than the limit is checkpointed, a smaller one is not")
  func limit() throws {
    try write(megabytes: 1)

    #expect(!database.checkpointIfLarge(limit: 2 << 20))
    try write(megabytes: 1)
    #expect(database.checkpointIfLarge(limit: 2 << 20))

    let size = directory.size(of: "x.db-wal")
    #expect(directory.size(of: "x.db") > 2 << 20)
    #expect(database.walBytes == 0)
    #expect(!database.checkpointIfLarge(limit: 0))
    try write(megabytes: 1)
    #expect(directory.size(of: "x.db-wal") == size)
  }

  @Test("inside a transaction there is no checkpoint")
  func insideTransaction() throws {
    try write(megabytes: 1)

    try database.savepoint {
      try database.run("INSERT INTO t VALUES ('')")
      #expect(!database.checkpointIfLarge(limit: 0))
    }
    try database.commit()

    #expect(database.checkpointIfLarge(limit: 0))
  }

  @Test("a reader prevents the checkpoint until it has ended")
  func reader() throws {
    let other = try Database(.file(path: directory.file("x.db")))
    try write(megabytes: 1)
    try other.savepoint { _ = try other.first("SELECT count(*) FROM t") { $0.int(0) } }
    try write(megabytes: 1)

    let whileRead = database.checkpointIfLarge(limit: 1000)
    try other.commit()

    #expect(!whileRead)
    #expect(database.checkpointIfLarge(limit: 1000))
  }

  @Test("the checkpointer moves the log by itself between writes")
  func background() throws {
    let checkpointer = try Checkpointer.start(path: directory.file("x.db"), beside: database)
    let deadline = ContinuousClock.now + .seconds(20)

    try write(megabytes: 1)
    while directory.size(of: "x.db") < 1 << 20, ContinuousClock.now < deadline { sched_yield() }

    #expect(directory.size(of: "x.db") >= 1 << 20)
    checkpointer.stop()
  }

  @Test("stopping the checkpointer moves all commits, and may be repeated")
  func stopping() throws {
    let checkpointer = try Checkpointer.start(path: directory.file("x.db"), beside: database)
    try write(megabytes: 1)

    checkpointer.stop()
    checkpointer.stop()

    #expect(directory.size(of: "x.db") >= 1 << 20)
    #expect(try database.first("SELECT count(*) FROM t") { $0.int(0) } == 1)
  }

  @Test("writes continue beside the checkpointer, and nothing is lost")
  func concurrency() throws {
    let checkpointer = try Checkpointer.start(path: directory.file("x.db"), beside: database)
    for tick in 0..<300 {
      for _ in 0..<20 {
        try database.savepoint {
          try database.run("INSERT INTO t VALUES (?)", String(repeating: "x", count: tick))
        }
      }
      try database.commit()
      database.checkpointIfLarge(limit: 1 << 20)
    }

    checkpointer.stop()

    #expect(try database.first("SELECT count(*) FROM t") { $0.int(0) } == 6000)
    #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
  }

  @Test("a checkpointer without a file does not start")
  func missingFile() {
    #expect(throws: DatabaseError.self) {
      try Checkpointer.start(path: directory.file("missing/x.db"), beside: database)
    }
  }

  private func write(megabytes: Int) throws {
    let text = String(repeating: "x", count: megabytes << 20)
    try database.savepoint { try database.run("INSERT INTO t VALUES (?)", text) }
    try database.commit()
  }
}
