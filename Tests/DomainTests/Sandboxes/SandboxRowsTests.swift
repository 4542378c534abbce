import Basics
import Database
import Domain
import Support
import Testing

/// The rows of all sandboxes are in the same tables.
@Suite("Domain · rows of sandboxes")
struct SandboxRowsTests {
  private let world: World
  private let other: Sandbox

  init() throws {
    world = try World()
    other = try #require(try world.sandboxes.create("other", .init()))
    for sandbox in [world.sandbox, other] {
      for number in 0..<3 { try sandbox.start("+1202555010\(number)") }
    }
  }

  /// What lists and searches find in a sandbox.
  private func contents(of sandbox: Sandbox) throws -> [String] {
    var lines = try sandbox.events.after(0).map { "\($0)" }
    lines += try sandbox.events.before(.max, limit: 100).map { "\($0)" }
    lines += try sandbox.verifications.all().map { "\($0)" }
    lines += try sandbox.verifications.newest(100).map { "\($0)" }
    lines += try sandbox.verifications.list("acme", before: .max, limit: 100).map { "\($0)" }
    lines += try sandbox.messages.submitted(.init()).map { "\($0)" }
    lines += try sandbox.messages.inbox(.init()).map { "\($0)" }
    lines += try sandbox.messages.page(.init(), onHandsets: true, limit: 100).map { "\($0)" }
    lines += try sandbox.messages.page(.init(), onHandsets: false, limit: 100).map { "\($0)" }
    return lines
  }

  @Test("lists of a sandbox have its own rows only")
  func lists() throws {
    for sandbox in [world.sandbox, other] {
      #expect(try sandbox.verifications.all().count == 3)
      #expect(try sandbox.messages.submitted(.init()).count == 3)
      #expect(try sandbox.events.after(0).count == 6)
    }
  }

  @Test("what changes all rows of a sandbox changes no others")
  func changes() throws {
    let before = try contents(of: world.sandbox)

    try other.messages.clear(destination: nil)
    #expect(try other.messages.inbox(.init()).isEmpty)
    try other.verifications.deleteAll(ofOwner: "shop", provider: "acme")
    #expect(try other.verifications.all().isEmpty)
    try other.set(clockTo: TestSandbox.start + .seconds(30 * 86_400))
    #expect(try other.messages.submitted(.init()).isEmpty)
    try world.sandboxes.remove(other)
    try world.finishJobs()

    #expect(try contents(of: world.sandbox) == before)
    #expect(try world.count("SELECT count(*) FROM messages") == 3)
  }

  @Test("when the ids have come to their end, a new sandbox gets a free one")
  func ids() throws {
    try world.database.run(
      """
      INSERT INTO sandboxes (id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        first_entropy_seed) VALUES (?, 'last', 1, 'frozen', 0, 'frozen', 0, '', 1)
      """, RecordKey.lastSandbox)

    let made = try #require(try world.sandboxes.create("made", .init()))
    try made.start()

    #expect(try world.count("SELECT id FROM sandboxes WHERE name = 'made'") == 3)
    #expect(try made.verifications.all().count == 1)
    #expect(try other.verifications.all().count == 3)
  }
}
