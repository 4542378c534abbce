import Basics
import Database
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · sandboxes")
struct SandboxesTests {
  let world: World

  init() throws {
    world = try World(
      seeds: [
        "default": [
          .init(
            name: "a.json", bytes: Array(#"{"subscribers":[{"number":"+12025550177","code":"4711"}]}"#.utf8))
        ],
        "faulty": [.init(name: "b.json", bytes: Array(#"{"faults":[{"status":500}]}"#.utf8))],
        "broken": [.init(name: "c.json", bytes: Array(#"{"subscribers":[{"number":"12"}]}"#.utf8))],
      ])
  }

  @Test("due work that fails in one sandbox does not keep others from theirs")
  func failedDueWork() throws {
    let real = Sandbox.Configuration()
    let names = ["a", "b", "c"]
    for name in names { _ = try #require(try world.sandboxes.create(name, real)).start() }
    try world.database.run(
      """
      CREATE TEMP TRIGGER failure BEFORE UPDATE ON verifications
      WHEN old.sandbox = (SELECT id FROM sandboxes WHERE name = 'b')
      BEGIN SELECT RAISE(ABORT, 'failure'); END
      """)
    world.wallClock.now = TestSandbox.start + .seconds(3600)

    #expect(throws: (any Error).self) { try world.sandboxes.catchUp() }

    for name in ["a", "c"] { #expect(try world.sandboxes[name]?.newest()?.state == .expired) }
  }

  @Test("sandboxes, and those that were reset, leave memory with their owner")
  func leavingMemory() throws {
    var other: World? = try World()
    weak let first = try #require(other?.sandbox)
    weak let second = try other?.sandboxes.reset(#require(first))
    try other?.sandboxes.commit()
    #expect(first == nil)
    #expect(second != nil)

    other = nil

    #expect(second == nil)
  }

  // MARK: Create

  @Test("the default sandbox exists from the start, with the default seed")
  func standard() throws {
    #expect(world.sandboxes.all.map(\.name) == ["default"])
    #expect(try world.sandbox.subscribers.all.map(\.code) == ["4711"])
  }

  @Test("a created sandbox has the clock, the entropy seed and the seeds of its configuration")
  func creating() throws {
    let made = try #require(try world.sandboxes.create("ci", origin))

    #expect(world.sandboxes["ci"] === made)
    #expect(made.clock.mode == .frozen(Timestamp(milliseconds: 42)))
    #expect(made.entropy == Entropy(seed: 7))
    #expect(try made.faults.all.map(\.rule.status) == [500])
    #expect(try made.subscribers.all == [])
  }

  @Test("a name that is taken creates no sandbox")
  func taken() throws {
    #expect(try world.sandboxes.create("default", origin) == nil)
    #expect(try world.rows["sandboxes"] == 1)
  }

  @Test("sandboxes are listed by name")
  func list() throws {
    for name in ["b", "a"] { _ = try world.sandboxes.create(name, .init()) }

    #expect(world.sandboxes.all.map(\.name) == ["a", "b", "default"])
  }

  @Test("an unknown seed creates no sandbox")
  func unknownStory() throws {
    var origin = origin
    origin.seeds = ["faulty", "nowhere"]

    let error = #expect(throws: FieldError.self) { try world.sandboxes.create("ci", origin) }

    #expect(error?.description == #"$.seeds: expected one of broken, default, faulty; found "nowhere""#)
    #expect(world.sandboxes.all.map(\.name) == ["default"])
    #expect(try world.rows["rules"] == 0)
  }

  @Test("a sandbox created in a failed request is gone")
  func createdAndTakenBack() throws {
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        _ = try world.sandboxes.create("ci", origin)
        throw TestError()
      }
    }

    #expect(world.sandboxes["ci"] == nil)
    #expect(try world.sandboxes.create("ci", origin) != nil)
  }

  @Test("two sandboxes with the same seed have the same codes and share nothing")
  func twins() throws {
    let twins = try ["one", "two"].map { try #require(try world.sandboxes.create($0, origin)) }

    let codes = try twins.map { try $0.start().parts.verification.code }
    try twins[0].check(codes[0])

    #expect(codes == ["964980", "964980"])
    #expect(try twins.map { try $0.newest()?.state } == [.approved, .pending])
    #expect(try twins.map { try $0.texts().count } == [1, 1])
  }

  // MARK: Remove

  @Test("removing a sandbox deletes all of its rows")
  func removing() throws {
    let before = try world.rows
    let made = try #require(try world.sandboxes.create("ci", origin))
    try made.start()
    _ = try made.accounts.register(Credential(provider: "acme", name: "AC1", secret: "s", account: "AC1"))
    try made.records.save(Array("{}".utf8), under: "a", of: "b", in: .init(provider: "acme", kind: "thing"))
    try made.subscribers.keep(Subscriber(happyLineOf: #require(PhoneNumber("+12025550100"))))

    try world.sandboxes.remove(made)
    try world.finishJobs()
    try world.sandboxes.commit()

    #expect(world.sandboxes["ci"] == nil)
    #expect(try world.rows == before)
  }

  @Test("a sandbox removed in a failed request is back")
  func removedAndTakenBack() throws {
    let made = try #require(try world.sandboxes.create("ci", origin))
    _ = try made.accounts.register(Credential(provider: "acme", name: "AC1", secret: "s", account: "AC1"))

    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try world.sandboxes.remove(made)
        throw TestError()
      }
    }

    #expect(world.sandboxes["ci"]?.name == "ci")
    #expect(try world.sandboxes.owner(ofCredential: "AC1", provider: "acme")?.name == "ci")
  }

  // MARK: Reset

  @Test("a reset restores the initial state")
  func resetting() throws {
    let made = try #require(try world.sandboxes.create("ci", origin))
    try world.sandboxes.commit()
    let before = try world.rows
    try made.start()
    try made.faults.replace(with: [])
    try made.set(entropySeed: 9)
    try made.set(clock: .real)

    let fresh = try world.sandboxes.reset(made)
    try world.finishJobs()
    try world.sandboxes.commit()

    #expect(world.sandboxes["ci"] === fresh)
    #expect(fresh.clock.mode == origin.clock)
    #expect(fresh.entropy == Entropy(seed: 7))
    #expect(try fresh.faults.all.map(\.rule.status) == [500])
    #expect(try world.rows == before)
  }

  @Test("a sandbox has the same codes and ordinals after each reset")
  func resetIsIdempotent() throws {
    func firstSteps(of sandbox: Sandbox) throws -> [String] {
      let verification = try sandbox.start().parts.verification
      return [
        verification.code, "\(verification.ordinal)", sandbox.requestIdentifier("RQ"),
        "\(try sandbox.events.after(0))",
      ]
    }
    var steps: [[String]] = [try firstSteps(of: world.sandbox)]

    for _ in 1...2 { steps.append(try firstSteps(of: world.sandboxes.reset(world.sandbox))) }
    _ = try world.sandboxes.reset(world.sandbox)
    steps.append(try firstSteps(of: world.sandboxes.reset(world.sandbox)))

    #expect(Set(steps).count == 1)
  }

  @Test("a reset leaves other sandboxes alone")
  func resetOfOne() throws {
    let other = try #require(try world.sandboxes.create("other", origin))
    try other.start()

    _ = try world.sandboxes.reset(world.sandbox)

    #expect(try world.sandboxes["other"]?.newest()?.state == .pending)
  }

  @Test("a reset fails and changes nothing if a seed no longer exists")
  func failedReset() throws {
    let directory = try TemporaryDirectory()
    let before = try World(directory.database, seeds: ["default": [], "gone": []])
    var origin = Sandbox.Configuration()
    origin.seeds = ["gone"]
    _ = try before.sandboxes.create("ci", origin)
    try before.sandboxes.commit()
    before.close()
    let world = try World(directory.database)
    let sandbox = try #require(world.sandboxes["ci"])

    #expect(throws: FieldError.self) {
      try world.sandbox.atomically { _ = try world.sandboxes.reset(sandbox) }
    }

    #expect(world.sandboxes["ci"]?.name == "ci")
    #expect(try world.rows["sandboxes"] == 2)
  }

  // MARK: Rollback

  @Test("the rows of a failed request are undone")
  func rollback() throws {
    let before = try world.rows

    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try world.start()
        throw TestError()
      }
    }

    #expect(try world.rows == before)
    #expect(try world.sandbox.newest() == nil)
  }

  @Test("clock changes of a failed request are undone")
  func rollbackOfClock() throws {
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try world.sandbox.set(clock: .real)
        try world.sandbox.advance(by: .seconds(60))
        throw TestError()
      }
    }

    #expect(world.sandbox.clock.mode == .frozen(TestSandbox.start))
  }

  @Test("an entropy seed set by a failed request is undone")
  func rollbackOfEntropy() throws {
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try world.sandbox.set(entropySeed: 7)
        throw TestError()
      }
    }

    #expect(world.sandbox.entropy == Entropy(seed: 1))
  }

  @Test("a failed request does not undo other requests of its tick")
  func rollbackOfOne() throws {
    try world.sandbox.atomically { _ = try world.start("+12025550101") }
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try world.start("+12025550102")
        throw TestError()
      }
    }
    try world.sandbox.atomically { _ = try world.start("+12025550103") }
    try world.sandboxes.commit()

    #expect(try world.sandbox.turns.map(\.destination) == ["+12025550101", "+12025550103"])
  }

  // MARK: Reopening

  @Test("a sandbox is the same after a restart")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    let first = try World(directory.database)
    let made = try #require(try first.sandboxes.create("ci", .init()))
    try made.set(clock: .frozen(Timestamp(milliseconds: 1_000_000)))
    try made.set(entropySeed: 9)
    let verification = try made.start().parts.verification
    let events = try made.events.after(0)
    try first.sandboxes.commit()
    first.close()

    let second = try World(directory.database, clock: .real)
    let found = try #require(second.sandboxes["ci"])

    #expect(second.sandbox.clock.mode == .frozen(TestSandbox.start))
    #expect(found.clock.mode == .frozen(Timestamp(milliseconds: 1_000_000)))
    #expect(found.entropy.seed == 9)
    #expect(found.configuration == made.configuration)
    #expect(try found.newest() == verification)
    #expect(try found.texts() == ["Your code is \(verification.code)"])
    #expect(try found.events.after(0) == events)
    #expect(found.nextDue == verification.expiresAt)
  }

  @Test("identifiers from before a change of the seed are found after a restart")
  func reopeningWithNewSeed() throws {
    let directory = try TemporaryDirectory()
    let first = try World(directory.database)
    let digits = first.sandbox.entropy.identifier("VE", 5)
    try first.sandbox.set(entropySeed: 9)
    try first.sandboxes.commit()
    first.close()

    let second = try World(directory.database)

    #expect(second.sandbox.entropy.ordinals(of: digits, under: "VE")?.0 == 5)
  }

  @Test("ordinals continue after a restart, and request identifiers stay unique")
  func reopeningGoesOn() throws {
    let directory = try TemporaryDirectory()
    var ordinals: [Int] = []
    var requests: Set<String> = []
    for number in 1...3 {
      let world = try World(directory.database)
      ordinals.append(try world.start("+1202555010\(number)").parts.verification.ordinal)
      for _ in 1...3 { requests.insert(world.sandbox.requestIdentifier("RQ")) }
      try world.sandboxes.commit()
      world.close()
    }

    #expect(ordinals == ordinals.sorted() && Set(ordinals).count == 3)
    #expect(requests.count == 9)
  }

  @Test("uncommitted rows are gone after a restart")
  func reopeningUncommitted() throws {
    let directory = try TemporaryDirectory()
    let first = try World(directory.database)
    try first.sandbox.atomically { _ = try first.start() }
    first.close()

    #expect(try World(directory.database).sandbox.newest() == nil)
  }

  private var origin: Sandbox.Configuration {
    var origin = Sandbox.Configuration()
    origin.clock = .frozen(Timestamp(milliseconds: 42))
    origin.entropySeed = 7
    origin.seeds = ["faulty"]
    return origin
  }
}
