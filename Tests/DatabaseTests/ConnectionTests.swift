import Database
import Foundation
import Testing

@Suite("Connections")
struct ConnectionTests {
  @Test("foreign keys are enforced, schemas not trusted")
  func settings() throws {
    let database = try Database(.memory)

    #expect(try database.first("PRAGMA foreign_keys") { $0.int(0) } == 1)
    #expect(try database.first("PRAGMA trusted_schema") { $0.int(0) } == 0)
  }

  @Test("two databases in memory are separate")
  func isolation() throws {
    let (one, other) = (try Database.family(), try Database.family())

    try one.run("INSERT INTO parent VALUES (1, NULL)")

    #expect(try other.parents == [])
  }

  @Test("a file keeps only what was committed")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    let first = try Database(.file(path: directory.file("x.db")))
    try first.execute(script: "CREATE TABLE t (a INTEGER)")
    try first.savepoint { try first.run("INSERT INTO t VALUES (1)") }
    try first.commit()
    try first.savepoint { try first.run("INSERT INTO t VALUES (2)") }
    first.close()

    let second = try Database(.file(path: directory.file("x.db")))

    #expect(try second.all("SELECT a FROM t") { $0.int(0) } == [1])
  }

  @Test(
    "a file uses a write-ahead log, synced as configured", arguments: [(Durability.normal, 1), (.full, 2)])
  func writeAheadLog(durability: Durability, synchronous: Int) throws {
    let directory = try TemporaryDirectory()
    let database = try Database(.file(path: directory.file("x.db")), durability: durability)

    #expect(try database.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
    #expect(try database.first("PRAGMA synchronous") { $0.int(0) } == synchronous)
  }

  @Test("a missing directory and an invalid file are errors")
  func badFiles() throws {
    let directory = try TemporaryDirectory()
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: directory.file("text")))

    let missing = #expect(throws: DatabaseError.self) {
      _ = try Database(.file(path: directory.file("missing/x.db")))
    }
    let text = #expect(throws: DatabaseError.self) { _ = try Database(.file(path: directory.file("text"))) }

    #expect(missing?.code == 14)
    #expect(text?.message == "file is not a database")
  }

  @Test("a script stops at its first error")
  func scripts() throws {
    let database = try Database.family()

    #expect(throws: DatabaseError.self) {
      try database.execute(
        script:
          "INSERT INTO parent VALUES (1, NULL); INSERT INTO nobody VALUES (1); INSERT INTO parent VALUES (2, '')"
      )
    }

    #expect(try database.parents == [1])
  }

  @Test("a call from another thread traps")
  func watchdog() async {
    await #expect(processExitsWith: .failure) {
      // Unsafe on purpose, to test the watchdog.
      nonisolated(unsafe) let database = try Database(.memory)
      await onAnotherThread { _ = database.changes }
    }
  }

  @Test("a connection may move to another thread")
  func moving() async {
    await #expect(processExitsWith: .success) {
      // Safe because this thread waits and is done with it.
      nonisolated(unsafe) let database = try Database(.memory)
      await onAnotherThread {
        database.moveToCurrentThread()
        _ = database.changes
        exit(EXIT_SUCCESS)
      }
    }
  }

  @Test("a call after the close traps")
  func useAfterClose() async {
    await #expect(processExitsWith: .failure) {
      let database = try Database(.memory)
      database.close()
      _ = try database.parents
    }
  }
}

/// Runs a body on a thread made for it and waits.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}
