import Basics
import Domain
import Support
import Testing

@Suite("Domain · failed commits")
struct CommitFailureTests {
  let world: World

  init() throws {
    world = try World()
    try world.start("+12025550199")
    try world.sandboxes.commit()
  }

  @Test("all rows of the tick are undone, earlier commits are kept")
  func rows() throws {
    let before = try world.rows

    try fail {
      try world.start("+12025550101")
      try world.start("+12025550102")
    }

    #expect(try world.rows == before)
    #expect(try world.sandbox.newest("+12025550101") == nil)
    #expect(try world.sandbox.newest("+12025550199")?.state == .pending)
  }

  @Test("clock and entropy are as before the tick")
  func clock() throws {
    try fail {
      try world.sandbox.advance(by: .seconds(60))
      try world.sandbox.set(entropySeed: 9)
    }

    #expect(world.sandbox.clock.mode == .frozen(TestSandbox.start))
    #expect(world.sandbox.entropy == Entropy(seed: 1))
  }

  @Test("due work of the tick is due again")
  func agenda() throws {
    try fail { try world.sandbox.advance(by: .seconds(600)) }

    #expect(world.sandbox.nextDue == TestSandbox.start + .seconds(600))
    #expect(try world.sandbox.newest("+12025550199")?.state == .pending)
  }

  @Test("scenarios and their counts are as before the tick")
  func rules() throws {
    try world.sandbox.scenarios.replace(with: [#require(Scenario(requested: "deliver"))])
    try world.sandboxes.commit()

    try fail { try world.start() }

    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [0])
  }

  @Test("a sandbox created in the tick is gone, and can be created")
  func created() throws {
    try fail { _ = try world.sandboxes.create("ci", .init()) }

    #expect(world.sandboxes["ci"] == nil)
    #expect(try world.sandboxes.create("ci", .init()) != nil)
  }

  @Test("a sandbox removed in the tick is back")
  func removed() throws {
    let made = try #require(try world.sandboxes.create("ci", .init()))
    try made.start()
    try world.sandboxes.commit()

    try fail { try world.sandboxes.remove(made) }

    #expect(try world.sandboxes["ci"]?.newest()?.state == .pending)
  }

  @Test("a credential registered in the tick is unknown")
  func credentials() throws {
    try fail {
      _ = try world.sandbox.accounts.register(
        Credential(provider: "acme", name: "AC1", secret: "s", account: "AC1"))
    }

    #expect(try world.sandboxes.owner(ofCredential: "AC1", provider: "acme") == nil)
  }

  @Test("the next tick continues from the last commit")
  func goingOn() throws {
    try fail { try world.start() }

    let verification = try world.start().parts.verification
    try world.sandboxes.commit()

    #expect(verification.code == "413618")
    #expect(try world.sandbox.check("413618").name == "approved")
  }

  @Test("request identifiers differ before and after")
  func requestIdentifiers() throws {
    let before = (1...3).map { _ in world.sandbox.requestIdentifier("RQ") }

    try fail { try world.start() }

    #expect(Set(before + (1...3).map { _ in world.sandbox.requestIdentifier("RQ") }).count == 6)
  }

  @Test("the journal keeps its entries")
  func journal() throws {
    world.sandbox.journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: "acme", route: nil, method: "GET", target: "/", requestHead: [],
        requestBody: [],
        status: 200, responseHead: [], responseBody: [], why: nil, unread: [], nearest: []))

    try fail { try world.start() }

    #expect(world.sandbox.journal.exchanges.map(\.target) == ["/"])
  }

  /// A tick that cannot be committed.
  private func fail(_ tick: () throws -> Void) throws {
    try world.sandbox.atomically(tick)
    world.breakNextCommit()
    #expect(throws: (any Error).self) { try world.sandboxes.commit() }
  }
}
