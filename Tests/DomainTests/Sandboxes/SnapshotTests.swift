import Basics
import Database
import Domain
import JSON
import Support
import Testing

@testable import Snapshots

@Suite("Domain · snapshots")
struct SnapshotTests {
  private let world: World

  init() throws { world = try World() }

  private func save(_ name: String = Sandboxes.defaultName) throws -> [UInt8] {
    try world.sandboxes.snapshot(of: #require(world.sandboxes[name]))
  }

  @discardableResult
  private func restore(_ bytes: [UInt8], as name: String = Sandboxes.defaultName) throws -> Sandbox {
    try world.sandboxes.restore(bytes, as: name)
  }

  private static func record(
    _ ordinal: Int, in journal: Journal, body: [UInt8] = [], newestAfter: Int = 0
  ) {
    journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: "acme", route: nil, method: "POST", target: "/\(ordinal)",
        requestHead: [],
        requestBody: body, status: 200, responseHead: [], responseBody: [], why: nil, unread: ["a"],
        nearest: [], effects: Journal.Effects(newestBefore: 0, newestAfter: newestAfter, verification: nil)))
  }

  @Test("a restored sandbox has the same snapshot", arguments: [Sandboxes.defaultName, "copy"])
  func roundTrip(name: String) throws {
    try world.start()
    try world.sandbox.advance(by: .seconds(60))
    _ = world.sandbox.requestIdentifier("request")
    Self.record(1, in: world.sandbox.journal, body: [0xFF, 0])
    let saved = try save()

    let restored = try restore(saved, as: name)

    #expect(try save(name) == saved)
    #expect(world.sandboxes[name] === restored)
    #expect(restored.clock.now == TestSandbox.start + .seconds(60))
  }

  @Test("a shared file decides about every table of a sandbox (issue 50, D 3)")
  func sharedTables() throws {
    let written = try world.sandboxes.shared.database.sandboxTables().map(\.name)

    #expect(Set(written.filter { !SharedPart.knows($0) }) == ["destinations", "destination_reach"])
  }

  @Test("due work, counters and caches continue")
  func continuation() throws {
    try world.start()
    _ = world.sandbox.requestIdentifier("request")
    let saved = try save()
    let next = (world.sandbox.requestIdentifier("request"), world.sandbox.nextOrdinal())
    try world.sandbox.advance(by: .seconds(3600))

    let sandbox = try restore(saved)

    #expect(sandbox.nextDue != nil)
    #expect((sandbox.requestIdentifier("request"), sandbox.nextOrdinal()) == next)
    #expect(try sandbox.verifications.all().map(\.state) == [.pending])
    try sandbox.advance(by: .seconds(3600))
    #expect(try sandbox.verifications.all().map(\.state) == [.expired])
  }

  @Test("a table of a later migration is in a snapshot, with exact integers and bytes")
  func newTable() throws {
    try world.database.execute(
      script: """
        CREATE TABLE extras (
          sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE, at INTEGER NOT NULL, data BLOB,
          note TEXT, PRIMARY KEY (sandbox, at)) STRICT, WITHOUT ROWID
        """)
    try world.database.run(
      "INSERT INTO extras VALUES (?, ?, ?, ?)", world.sandbox.id, 253_402_300_799_999, [0, 255] as [UInt8],
      String?.none)
    try world.database.run(
      "INSERT INTO extras VALUES (?, ?, ?, ?)", world.sandbox.id, 1, Array("é".utf8),
      "x" + String(repeating: "\u{301}", count: 40))
    let saved = try save()

    try restore(saved)
    try world.finishJobs()

    let expected =
      #""extras":{"columns":["at","data","note"],"rows":[[1,"é",{"hex":"78\#(String(repeating: "cc81", count: 40))"}],"#
      + #"[253402300799999,{"hex":"00ff"},null]]}"#
    #expect(String(decoding: saved, as: UTF8.self).contains(expected))
    #expect(try save() == saved)
    #expect(try world.count("SELECT count(*) FROM extras WHERE typeof(data) = 'blob'") == 2)
  }

  @Test("a journal that has dropped its oldest exchanges keeps its ordinals")
  func journal() throws {
    for ordinal in 1...1003 { Self.record(ordinal, in: world.sandbox.journal) }
    let saved = try save()

    let journal = try restore(saved).journal
    Self.record(1004, in: journal)

    #expect(journal.exchanges.map(\.ordinal) == Array(5...1004))
    #expect(journal.exchanges.map(\.target) == (5...1004).map { "/\($0)" })
  }

  @Test("45 A2: a request cannot have made more records than a sandbox can have", arguments: [-1, 1 << 40])
  func effects(newest: Int) throws {
    Self.record(1, in: world.sandbox.journal, newestAfter: newest)
    let saved = try save()

    let error = #expect(throws: FieldError.self) { try restore(saved) }

    #expect(error?.path == "$.journal.rows[0][15]")
  }

  @Test("ordinals that are not committed yet are in a snapshot")
  func newOrdinals() throws {
    try world.start()
    let saved = try save()

    #expect(try restore(saved).newestOrdinal == world.sandbox.newestOrdinal)
    #expect(
      String(decoding: saved, as: UTF8.self).contains(#""last_ordinal":\#(world.sandbox.newestOrdinal)"#))
  }

  @Test("a snapshot that cannot be restored changes nothing")
  func failure() throws {
    try world.start()
    let sandbox = world.sandbox
    let saved = try save()
    let damaged = String(decoding: saved, as: UTF8.self).replacing(#""sms""#, with: #""pigeon""#)

    let error = #expect(throws: FieldError.self) { try restore(Array(damaged.utf8)) }

    #expect(error?.path == "$.tables.verifications")
    #expect(world.sandbox === sandbox)
    #expect(try save() == saved)
    try world.start("+12025550101")
  }

  @Test("a sandbox of another snapshot leaves no credential behind")
  func credentials() throws {
    let saved = try save()
    let credential = Credential(provider: "acme", name: "key", secret: "s", account: "key")
    #expect(try world.sandbox.accounts.register(credential))
    let later = try save()

    #expect(try restore(saved).accounts.find("key", of: "acme") == nil)
    #expect(try restore(later, as: "copy").accounts.find("key", of: "acme") == credential)
    let error = #expect(throws: FieldError.self) { try restore(later) }
    #expect(error?.path == "$.tables.credentials.rows[0]")
    #expect(error?.found == "acme key")
  }

  @Test("a sandbox with more than a snapshot may have is an error")
  func size() throws {
    try world.sandbox.keys.save(
      SigningKey(privatePEM: String(repeating: "x", count: 32 << 20), publicPEM: ""), for: .webhooks)

    let error = #expect(throws: FieldError.self) { try save() }

    #expect(error?.expected == "at most 32 MiB and 2000000 values")
  }
}
