import Database
import Support
import Testing

@testable import Domain

@Suite("Domain · index of destinations")
struct DestinationIndexTests {
  /// Records as rows, beside an index with small batches.
  private struct Records {
    let world: World
    var index: DestinationIndex
    /// The ordinals by destination.
    var known: [String: [Int]] = [:]

    init() throws {
      world = try World()
      index = DestinationIndex(of: world.sandbox.id, in: world.database, batchSize: 16)
    }

    mutating func add(_ destination: String) throws {
      let ordinal = world.sandbox.nextOrdinal()
      try write(ordinal, destination)
      known[destination, default: []].append(ordinal)
    }

    func write(_ ordinal: Int, _ destination: String) throws {
      try world.database.insert(Self.message(ordinal, destination), of: world.sandbox.id)
      try index.add(.message, ordinal, of: destination)
    }

    mutating func delete(_ ordinal: Int, of destination: String) throws {
      try world.database.run("DELETE FROM messages WHERE ordinal = ?", ordinal)
      known[destination]?.removeAll { $0 == ordinal }
    }

    func commit(historyStart: Int = 0) throws {
      try index.settle(newest: world.sandbox.newestOrdinal, historyStart: historyStart)
      try world.database.commit()
    }

    /// A new index of the same rows, as after a restart.
    mutating func restart() {
      index = DestinationIndex(of: world.sandbox.id, in: world.database, batchSize: 16)
    }

    /// Both directions, those of deleted records left out.
    func found(_ destination: String) throws -> (newestFirst: [Int], oldestFirst: [Int]) {
      let live = Set(known[destination] ?? [])
      var found: (newestFirst: [Int], oldestFirst: [Int]) = ([], [])
      try index.newestFirst(.message, of: destination) { ordinal in
        if live.contains(ordinal) { found.newestFirst.append(ordinal) }
        return true
      }
      try index.oldestFirst(.message, of: destination, after: 0) { ordinal in
        if live.contains(ordinal) { found.oldestFirst.append(ordinal) }
        return true
      }
      return found
    }

    func check() throws {
      for (destination, ordinals) in known {
        let found = try found(destination)
        #expect(found.oldestFirst == ordinals)
        #expect(found.newestFirst == ordinals.reversed())
      }
    }

    func entries() throws -> Int {
      try world.database.first("SELECT count(*) FROM destinations") { $0.int(0) } ?? 0
    }

    private static func message(_ ordinal: Int, _ destination: String) -> Message {
      Message(
        ordinal: ordinal, provider: "acme", reference: "", channel: .sms, destination: destination,
        sender: "",
        text: "", code: nil, submittedAt: TestSandbox.start, arrivesAt: nil, receipts: .init([]))
    }
  }

  @Test("every record is found, whether its entry is in a batch, on its way or in a row")
  func batches() throws {
    var records = try Records()
    for turn in 0..<200 {
      for number in 0..<(turn * 7 % 6) { try records.add("+1202555010\(turn * number * 31 % 10)") }
      try records.commit()
      if turn % 10 == 0 { try records.check() }
      if turn % 33 == 0 { records.restart() }
    }
    try records.check()
    #expect(try records.entries() > 300)
  }

  @Test("records of one destination are written as slowly as others")
  func sameDestination() throws {
    var records = try Records()
    for _ in 0..<16 { try records.add("+12025550100") }
    try records.commit()
    for _ in 0..<8 {
      let before = try records.entries()
      try records.add("+12025550100")
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
      try records.world.database.savepoint { try records.add(destination) }
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
    for _ in 0..<100 {
      try records.add("+12025550100")
      try records.commit()
    }
    let ordinals = try #require(records.known["+12025550100"])

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
    try records.index.newestFirst(.verification, of: "+12025550100") { _ in
      Issue.record("a message is no verification")
      return false
    }
  }

  @Test("entries of deleted records go when new ones are written")
  func sweep() throws {
    var records = try Records()
    for _ in 0..<400 {
      try records.add("+12025550100")
      try records.commit()
    }
    let (ordinals, before) = (try #require(records.known["+12025550100"]), try records.entries())
    for ordinal in ordinals.dropLast(100) where ordinal != ordinals[3] {
      try records.delete(ordinal, of: "+12025550100")
    }
    for _ in 0..<200 {
      try records.add("+1202555010\(records.world.sandbox.newestOrdinal % 10)")
      try records.commit(historyStart: ordinals[300])
    }

    try records.check()
    #expect(try records.entries() < before)
  }

  @Test("what a snapshot brings is written in parts")
  func older() throws {
    var records = try Records()
    for _ in 0..<50 { try records.add("+12025550100") }
    try records.world.database.commit()
    records.restart()

    #expect(try records.index.writeOlder(than: records.world.sandbox.newestOrdinal))
    #expect(try !records.index.writeOlder(than: records.world.sandbox.newestOrdinal))
    #expect(try records.entries() == 50)
    try records.check()
  }
}
