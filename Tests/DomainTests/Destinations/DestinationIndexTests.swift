import Database
import Support
import Testing

@testable import Domain

@Suite("Domain · index of destinations")
struct DestinationIndexTests {
  /// Records as rows, beside an index with small batches.
  private struct Records {
    let world: World
    private let writesRows: Bool
    var index: DestinationIndex
    /// The ordinals by kind and destination.
    var known: [DestinationEntry.Kind: [String: [Int]]] = [:]

    init(writesRows: Bool = true) throws {
      world = try World()
      self.writesRows = writesRows
      index = DestinationIndex(
        of: world.sandbox.id, in: world.database, batchSize: 16, writesRows: writesRows)
    }

    mutating func addMessage(_ destination: String) throws {
      let ordinal = world.sandbox.nextOrdinal()
      try write(ordinal, destination)
      known[.message, default: [:]][destination, default: []].append(ordinal)
    }

    mutating func addVerification(_ destination: String) throws {
      let verification = verification(world.sandbox.nextOrdinal(), destination)
      try world.database.insert(verification, of: world.sandbox.id)
      try index.add(.verification, verification.ordinal, of: destination)
      known[.verification, default: [:]][destination, default: []].append(verification.ordinal)
    }

    func write(_ ordinal: Int, _ destination: String) throws {
      try world.database.insert(message(ordinal, destination), of: world.sandbox.id)
      try index.add(.message, ordinal, of: destination)
    }

    mutating func delete(_ kind: DestinationEntry.Kind, _ ordinal: Int, of destination: String) throws {
      switch kind {
      case .verification: try world.database.run("DELETE FROM verifications WHERE ordinal = ?", ordinal)
      case .message: try world.database.run("DELETE FROM messages WHERE ordinal = ?", ordinal)
      }
      known[kind]?[destination]?.removeAll { $0 == ordinal }
    }

    func commit(historyStart: Int = 0) throws {
      try index.settle(newest: world.sandbox.newestOrdinal, historyStart: historyStart)
      try world.database.commit()
    }

    /// A new index of the same rows, as after a restart.
    mutating func restart() {
      index = DestinationIndex(
        of: world.sandbox.id, in: world.database, batchSize: 16, writesRows: writesRows)
    }

    /// Both directions, those of deleted records left out.
    func found(
      _ kind: DestinationEntry.Kind, _ destination: String
    ) throws -> (newestFirst: [Int], oldestFirst: [Int]) {
      let live = Set(known[kind]?[destination] ?? [])
      var found: (newestFirst: [Int], oldestFirst: [Int]) = ([], [])
      try index.newestFirst(kind, of: destination) { ordinal in
        if live.contains(ordinal) { found.newestFirst.append(ordinal) }
        return true
      }
      try index.oldestFirst(kind, of: destination, after: 0) { ordinal in
        if live.contains(ordinal) { found.oldestFirst.append(ordinal) }
        return true
      }
      return found
    }

    func check() throws {
      for (kind, known) in known {
        for (destination, ordinals) in known {
          let found = try found(kind, destination)
          #expect(found.oldestFirst == ordinals)
          #expect(found.newestFirst == ordinals.reversed())
        }
      }
    }

    /// How many ordinals of verifications all destinations together have, with those of deleted ones.
    func searched() throws -> Int {
      var count = 0
      for destination in known[.verification, default: [:]].keys {
        try index.newestFirst(.verification, of: destination) { _ in
          count += 1
          return true
        }
      }
      return count
    }

    /// How many rows the index has.
    func entries() throws -> Int {
      try world.database.first("SELECT count(*) FROM destinations") { $0.int(0) } ?? 0
    }

    private func message(_ ordinal: Int, _ destination: String) -> Message {
      Message(
        ordinal: ordinal, provider: "acme", reference: "", channel: .sms, destination: destination,
        sender: "",
        text: "", code: nil, submittedAt: TestSandbox.start, arrivesAt: nil, receipts: .init([]))
    }

    private func verification(_ ordinal: Int, _ destination: String) -> Verification {
      Verification(
        ordinal: ordinal, claim: Claim(provider: "acme", owner: "", destination: destination), series: 1,
        channel: .sms, state: .pending, code: "", checks: 0, createdAt: TestSandbox.start,
        updatedAt: TestSandbox.start, expiresAt: TestSandbox.start,
        attempts: Attempts(first: .sms, at: TestSandbox.start), details: ProviderDetails(""))
    }
  }

  @Test("every record is found, whether its entry is in a batch, on its way or in a row")
  func batches() throws {
    var records = try Records()
    for turn in 0..<200 {
      for number in 0..<(turn * 7 % 6) {
        let destination = "+1202555010\(turn * number * 31 % 10)"
        if turn % 2 == 0 { try records.addVerification(destination) }
        if turn % 5 != 0 { try records.addMessage(destination) }
      }
      try records.commit()
      if turn % 10 == 0 { try records.check() }
      if turn % 33 == 0 { records.restart() }
    }
    try records.check()
    #expect(try records.entries() > 300)
  }

  @Test("an index in memory writes no rows, and forgets what history has left behind")
  func inMemory() throws {
    var records = try Records(writesRows: false)
    var kept: [Int] = []
    for turn in 0..<2_000 {
      let destination = "+12025550\(100 + turn * 31 % 100)"
      try records.addVerification(destination)
      try records.addMessage(destination)
      let newest = records.world.sandbox.newestOrdinal
      // One of ten verifications stays in use.
      let (verification, message) = (newest - 101, newest - 100)
      if turn > 100 {
        for (destination, ordinals) in records.known[.message] ?? [:] where ordinals.contains(message) {
          try records.delete(.message, message, of: destination)
          if turn % 10 == 0 {
            kept.append(verification)
          } else {
            try records.delete(.verification, verification, of: destination)
          }
        }
      }
      try records.commit(historyStart: max(newest - 99, 0))
    }
    try records.check()
    #expect(try records.entries() == 0)
    #expect(kept.count > 100)
    #expect(try (kept.count...kept.count + 300).contains(records.searched()))
    records.restart()
    while try records.index.addRestored(upTo: records.world.sandbox.newestOrdinal) {}
    try records.check()
  }

  @Test("no commit waits until an index in memory has forgotten all of a busy destination")
  func busyInMemory() throws {
    var records = try Records(writesRows: false)
    for _ in 0..<1_000 { try records.addMessage("+12025550100") }
    try records.world.database.run("DELETE FROM messages")
    var commits = 0
    var entries = 1_000
    while entries > 0, commits < 200 {
      try records.commit(historyStart: records.world.sandbox.newestOrdinal + 1)
      commits += 1
      entries = 0
      try records.index.newestFirst(.message, of: "+12025550100") { _ in
        entries += 1
        return true
      }
      #expect([0, 1_000].contains(entries))
    }
    // One for each part of the batch before that of the destination, and one for each 256 of its entries.
    #expect(commits == Int(DestinationHash("+12025550100")[.message] >> 24) + 4)
  }

  @Test("a verification shares its entry with its message, and only with that")
  func sharedEntries() throws {
    var records = try Records()
    for number in 100..<200 {
      try records.addVerification("+12025550\(number)")
      try records.addMessage("+12025550\(number)")
      try records.commit()
    }
    #expect(try (64...100).contains(records.entries()))
    for _ in 0..<2 { try records.addMessage("+12025550199") }
    let verified = try #require(records.known[.verification]?["+12025550150"]?.first)
    try records.delete(.verification, verified, of: "+12025550150")
    for _ in 0..<40 {
      try records.addMessage("+12025550101")
      try records.commit(historyStart: verified + 1)
    }
    try records.check()
    records.restart()
    try records.check()
  }

  /// Restarts when the rows of half a batch are written, and lets the rest follow.
  private func restart(_ records: inout Records, beforeThat change: (inout Records) throws -> Void) throws {
    for number in 0..<15 { try records.addVerification("+1202555\(number)100") }
    try records.commit()
    for number in 0..<7 {
      try records.addVerification("+1202556\(number)100")
      try records.commit()
    }
    #expect(try (1..<16).contains(records.entries()))
    try change(&records)
    try records.world.database.commit()
    records.restart()
    try records.check()
    for number in 0..<60 {
      try records.addVerification("+1202557\(number)100")
      try records.commit()
    }
    try records.check()
  }

  @Test("a restart loses no message of a verification whose row is written", arguments: 0..<6)
  func otherBatches(number: Int) throws {
    // Some of the hashes are in the first half.
    let destination = "+1202555010\(number)"
    var records = try Records()
    try records.addVerification(destination)
    try restart(&records) { try $0.addMessage(destination) }

    records = try Records()
    try records.addVerification(destination)
    try records.addMessage(destination)
    try restart(&records) { records in
      try records.addMessage(destination)
      let first = try #require(records.known[.message]?[destination]?.first)
      try records.delete(.message, first, of: destination)
    }

    records = try Records()
    try records.addVerification(destination)
    try records.addMessage(destination)
    try restart(&records) { records in
      let first = try #require(records.known[.verification]?[destination]?.first)
      try records.delete(.verification, first, of: destination)
    }
  }

  @Test("a search after the largest ordinal finds nothing")
  func afterAll() throws {
    var records = try Records()
    for _ in 0..<40 {
      try records.addMessage("+12025550100")
      try records.commit()
    }
    try records.index.oldestFirst(.message, of: "+12025550100", after: .max) { _ in
      Issue.record("no record comes after all others")
      return false
    }
  }

  @Test("a message that comes much later has an entry of its own")
  func lateMessage() throws {
    var records = try Records()
    try records.addVerification("+12025550100")
    for _ in 0..<255 { _ = records.world.sandbox.nextOrdinal() }
    for _ in 0..<3 { try records.addMessage("+12025550100") }
    for _ in 0..<20 {
      try records.addVerification("+12025550101")
      try records.commit()
    }
    try records.check()
    let messages = try #require(records.known[.message]?["+12025550100"])
    var found: [Int] = []
    try records.index.oldestFirst(.message, of: "+12025550100", after: messages[0] - 1) {
      found.append($0)
      return true
    }
    #expect(found == messages)
  }

  @Test("records of one destination are written as slowly as others")
  func sameDestination() throws {
    var records = try Records()
    for _ in 0..<16 { try records.addMessage("+12025550100") }
    try records.commit()
    for _ in 0..<8 {
      let before = try records.entries()
      try records.addMessage("+12025550100")
      try records.commit()
      #expect(try records.entries() == before + 2)
    }
    try records.check()
  }

  @Test("what was rolled back leaves no gap, and what a lost commit wrote is read again")
  func rollback() throws {
    var records = try Records()
    struct Refused: Error {}
    for turn in 0..<60 {
      let destination = "+1202555010\(turn % 3)"
      _ = try? records.world.database.savepoint {
        try records.write(records.world.sandbox.nextOrdinal(), destination)
        throw Refused()
      }
      try records.world.database.savepoint {
        if turn % 2 == 0 { try records.addVerification(destination) }
        try records.addMessage(destination)
      }
      if turn % 7 == 0 {
        try records.index.settle(newest: records.world.sandbox.newestOrdinal, historyStart: 0)
        records.index.reload()
      }
      try records.commit()
    }
    try records.check()
  }

  @Test("a search begins before or after an ordinal, and ends when it has enough")
  func limits() throws {
    var records = try Records()
    for number in 0..<100 {
      if number % 2 == 0 { try records.addVerification("+12025550100") }
      try records.addMessage("+12025550100")
      try records.commit()
    }
    let ordinals = try #require(records.known[.message]?["+12025550100"])

    var found: [Int] = []
    try records.index.newestFirst(.message, of: "+12025550100", before: ordinals[70]) {
      found.append($0)
      return found.count < 60
    }
    #expect(found == ordinals[10..<70].reversed())

    found = []
    try records.index.oldestFirst(.message, of: "+12025550100", after: ordinals[9]) {
      found.append($0)
      return found.count < 80
    }
    #expect(found == Array(ordinals[10..<90]))
    #expect(try records.found(.verification, "+12025550100").newestFirst.count == 50)
    try records.addMessage("+12025550101")
    try records.index.newestFirst(.verification, of: "+12025550101") { _ in
      Issue.record("a message is no verification")
      return false
    }
  }

  @Test("entries of deleted records go when new ones are written")
  func sweep() throws {
    var records = try Records()
    for _ in 0..<400 {
      try records.addMessage("+12025550100")
      try records.commit()
    }
    let (ordinals, before) = (try #require(records.known[.message]?["+12025550100"]), try records.entries())
    for ordinal in ordinals.dropLast(100) where ordinal != ordinals[3] {
      try records.delete(.message, ordinal, of: "+12025550100")
    }
    for _ in 0..<200 {
      try records.addMessage("+1202555010\(records.world.sandbox.newestOrdinal % 10)")
      try records.commit(historyStart: ordinals[300])
    }

    try records.check()
    #expect(try records.entries() < before)
  }

  @Test("what a snapshot brings is written in parts")
  func older() throws {
    var records = try Records()
    for _ in 0..<50 { try records.addMessage("+12025550100") }
    try records.world.database.commit()
    records.restart()

    #expect(try records.index.addRestored(upTo: records.world.sandbox.newestOrdinal))
    #expect(try !records.index.addRestored(upTo: records.world.sandbox.newestOrdinal))
    #expect(try records.entries() == 50)
    try records.check()
  }
}
