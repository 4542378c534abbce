import Database
import Testing

@Suite("Transactions of a tick")
struct TransactionTests {
  @Test("savepoints of one tick share a transaction, which the commit ends")
  func groupCommit() throws {
    let database = try Database.family()

    for id in 1...3 { try database.savepoint { try database.run("INSERT INTO parent VALUES (?, NULL)", id) } }
    let before = database.isInTransaction
    try database.commit()

    #expect(before)
    #expect(!database.isInTransaction)
    #expect(try database.parents == [1, 2, 3])
  }

  @Test("a savepoint whose body throws is undone alone")
  func requestRollback() throws {
    let database = try Database.family()

    try database.savepoint { try database.run("INSERT INTO parent VALUES (1, NULL)") }
    #expect(throws: ResponseError()) {
      try database.savepoint {
        try database.run("INSERT INTO parent VALUES (2, NULL)")
        throw ResponseError()
      }
    }
    try database.savepoint { try database.run("INSERT INTO parent VALUES (3, NULL)") }
    try database.commit()

    #expect(try database.parents == [1, 3])
  }

  @Test("a nested savepoint is undone alone")
  func nestedRollback() throws {
    let database = try Database.family()

    try database.savepoint {
      try database.run("INSERT INTO parent VALUES (1, NULL)")
      #expect(throws: ResponseError()) {
        try database.savepoint {
          try database.run("INSERT INTO parent VALUES (2, NULL)")
          try database.savepoint { try database.run("INSERT INTO parent VALUES (3, NULL)") }
          throw ResponseError()
        }
      }
      try database.savepoint { try database.run("INSERT INTO parent VALUES (4, NULL)") }
    }
    try database.commit()

    #expect(try database.parents == [1, 4])
  }

  @Test("undoing an outer savepoint undoes the nested ones")
  func outerRollback() throws {
    let database = try Database.family()

    #expect(throws: ResponseError()) {
      try database.savepoint {
        try database.savepoint {
          try database.savepoint { try database.run("INSERT INTO parent VALUES (1, NULL)") }
        }
        throw ResponseError()
      }
    }
    try database.commit()

    #expect(try database.parents == [])
  }

  @Test("a nested savepoint is undone alone even if the outer one has written nothing")
  func lateOuterWrite() throws {
    let database = try Database.family()

    try database.savepoint {
      #expect(throws: ResponseError()) {
        try database.savepoint {
          try database.run("INSERT INTO parent VALUES (1, NULL)")
          throw ResponseError()
        }
      }
      try database.run("INSERT INTO parent VALUES (2, NULL)")
    }
    #expect(throws: ResponseError()) {
      try database.savepoint {
        try database.savepoint {}
        try database.execute(script: "INSERT INTO parent VALUES (3, NULL)")
        throw ResponseError()
      }
    }
    try database.commit()

    #expect(try database.parents == [2])
  }

  @Test("a savepoint returns what its body returns")
  func result() throws {
    let database = try Database.family()

    let answer = try database.savepoint { try database.first("SELECT 42") { $0.int(0) } }
    try database.commit()

    #expect(answer == 42)
  }

  @Test("a failed commit undoes the tick, and the next tick starts normally")
  func commitFailure() throws {
    let database = try Database.family()

    try database.savepoint { try database.run("INSERT INTO parent VALUES (1, NULL)") }
    try database.savepoint { try database.run("INSERT INTO child VALUES (1, 99)") }
    let error = #expect(throws: DatabaseError.self) { try database.commit() }

    #expect(error?.code == 19)
    #expect(!database.isInTransaction)
    #expect(try database.parents == [])
    try database.savepoint { try database.run("INSERT INTO parent VALUES (2, NULL)") }
    try database.commit()
    #expect(try database.parents == [2])
  }

  @Test("once SQLite has rolled back by itself, the rest of the tick and its commit fail")
  func lostTransaction() throws {
    let database = try Database.family()
    try database.savepoint { try database.run("INSERT INTO parent VALUES (1, 'a')") }
    try database.commit()

    try database.savepoint { try database.run("INSERT INTO parent VALUES (2, 'b')") }
    #expect(throws: DatabaseError.self) {
      try database.savepoint { try database.run("INSERT OR ROLLBACK INTO parent VALUES (3, 'a')") }
    }
    #expect(throws: DatabaseError.self) {
      try database.savepoint { try database.run("INSERT INTO parent VALUES (4, 'd')") }
    }
    #expect(throws: DatabaseError.self) { try database.run("INSERT INTO parent VALUES (5, 'e')") }
    let error = #expect(throws: DatabaseError.self) { try database.commit() }

    #expect(error?.extendedCode == uniqueConstraint)
    #expect(try database.parents == [1])
    try database.savepoint { try database.run("INSERT INTO parent VALUES (6, 'f')") }
    try database.commit()
    #expect(try database.parents == [1, 6])
  }

  @Test("a body that hides the loss of its transaction still fails")
  func hiddenLoss() throws {
    let database = try Database.family()

    #expect(throws: DatabaseError.self) {
      try database.savepoint {
        try database.savepoint { try database.run("INSERT INTO parent VALUES (1, 'a')") }
        try? database.run("INSERT OR ROLLBACK INTO parent VALUES (2, 'a')")
      }
    }

    #expect(throws: DatabaseError.self) { try database.commit() }
    #expect(try database.parents == [])
  }

  @Test("on a full disk requests fail, and none is kept in part")
  func fullDisk() throws {
    let database = try Database.family()
    try database.savepoint { try database.run("INSERT INTO parent VALUES (1, NULL)") }
    try database.commit()
    try database.execute(script: "PRAGMA max_page_count = 12")

    let error = #expect(throws: DatabaseError.self) {
      try database.savepoint {
        try database.run("INSERT INTO parent VALUES (2, NULL)")
        try database.run("INSERT INTO parent VALUES (3, ?)", String(repeating: "x", count: 100_000))
      }
    }
    try? database.commit()

    #expect(error?.code == 13)
    #expect(try database.parents == [1])
  }

  @Test("a commit without a savepoint does nothing")
  func emptyCommit() throws {
    let database = try Database.family()
    database.beforeCommit = { throw ResponseError() }

    try database.commit()

    #expect(!database.isInTransaction)
  }

  @Test("beforeCommit writes inside the tick's transaction")
  func beforeCommit() throws {
    let database = try Database.family()
    database.beforeCommit = {
      try database.savepoint { try database.run("INSERT INTO parent VALUES (9, NULL)") }
    }

    try database.savepoint { try database.run("INSERT INTO parent VALUES (1, NULL)") }
    try database.savepoint { try database.run("INSERT INTO parent VALUES (2, NULL)") }
    try database.commit()

    #expect(try database.parents == [1, 2, 9])
    database.beforeCommit = nil
  }

  @Test("when beforeCommit fails, the tick is undone")
  func beforeCommitFailure() throws {
    let database = try Database.family()
    database.beforeCommit = { throw ResponseError() }

    try database.savepoint { try database.run("INSERT INTO parent VALUES (1, NULL)") }
    let error = #expect(throws: DatabaseError.self) { try database.commit() }

    #expect(error?.message == "before the commit: ResponseError()")
    #expect(try database.parents == [])
  }

  @Test("a commit inside a savepoint traps")
  func commitInside() async {
    await #expect(processExitsWith: .failure) {
      let database = try Database(.memory)
      try database.savepoint { try database.commit() }
    }
  }
}
