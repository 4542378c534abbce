import Basics
import Database
import Domain
import Foundation
import JSON
import Snapshots
import Support
import Testing

@Suite("Domain · quotas")
struct QuotaTests {
  private let world: World

  init() throws { world = try World() }

  private func create(
    _ name: String = "ci", ttl: Duration? = nil, _ change: (inout Sandbox.Limits) -> Void = { _ in },
    in other: World? = nil
  ) throws -> Sandbox {
    var configuration = Sandbox.Configuration()
    configuration.clock = .frozen(TestSandbox.start)
    configuration.ttl = ttl
    change(&configuration.limits)
    return try #require(try (other ?? world).sandboxes.create(name, configuration))
  }

  private func pass(_ span: Duration) throws {
    world.wallClock.now = world.wallClock.now + span
    try world.sandboxes.catchUp()
  }

  // MARK: Removal

  @Test("a sandbox is removed some time after its last request, on the machine's clock")
  func removal() throws {
    let sandbox = try create(ttl: .seconds(60))
    try pass(.seconds(59))
    try sandbox.countRequest()
    try pass(.seconds(59))
    #expect(world.sandboxes["ci"] === sandbox)
    #expect(world.sandboxes.timeToNextDue == .seconds(1))

    try pass(.seconds(1))

    #expect(world.sandboxes["ci"] == nil)
    #expect(try world.rows["sandboxes"] == 1)
    #expect(world.sandboxes.removedCount == 1)
  }

  @Test("moving the sandbox's clock does not remove it")
  func ownClock() throws {
    let sandbox = try create(ttl: .seconds(60))

    try sandbox.atomically { try sandbox.advance(by: .seconds(86_400)) }
    try pass(.seconds(59))

    #expect(world.sandboxes["ci"] === sandbox)
  }

  @Test("the loop wakes up for a new sandbox's removal")
  func wakingUp() throws {
    _ = world.sandboxes.timeToNextDue

    _ = try create(ttl: .seconds(60))

    #expect(world.sandboxes.hasNewDueTime)
    #expect(world.sandboxes.timeToNextDue == .seconds(60))
  }

  @Test("a sandbox that was reset is still removed, and keeps its limits")
  func reset() throws {
    let sandbox = try create(ttl: .seconds(60)) { $0.messages = 5 }

    let fresh = try world.sandboxes.reset(sandbox)

    #expect(fresh.configuration == sandbox.configuration)
    try pass(.seconds(60))
    #expect(world.sandboxes["ci"] == nil)
  }

  @Test("the time of the last request survives a restart")
  func restart() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "quota-\(UUID()).db").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
    let first = try World(.file(path: file))
    let sandbox = try create(ttl: .seconds(600), in: first)
    first.wallClock.now = TestSandbox.start + .seconds(300)
    try sandbox.countRequest()
    try first.sandboxes.commit()
    first.close()

    let second = try World(.file(path: file), at: TestSandbox.start + .seconds(899))
    try second.sandboxes.catchUp()
    #expect(second.sandboxes["ci"]?.ttl == .seconds(600))
    // Up to a tenth late, because not every request is saved.
    second.wallClock.now = TestSandbox.start + .seconds(960)
    try second.sandboxes.catchUp()

    #expect(second.sandboxes["ci"] == nil)
    second.close()
  }

  @Test("many sandboxes are removed in several turns, with no pause between them")
  func manyRemovals() throws {
    for number in 1...25 { _ = try create("ci-\(number)", ttl: .seconds(60)) }

    try pass(.seconds(60))

    #expect(world.sandboxes.count == 16)
    #expect(world.sandboxes.timeToNextDue == .zero)
  }

  @Test("the server's time applies to all but the default sandbox, and the shorter one wins")
  func serverTime() throws {
    let world = try World(ttl: .seconds(60))
    let names = [try create("a", in: world), try create("b", ttl: .seconds(30), in: world)]

    #expect(names.map(\.ttl) == [.seconds(60), .seconds(30)])
    #expect(world.sandbox.ttl == nil)
  }

  // MARK: Requests

  @Test("a sandbox gets its requests per second, at once or spread over the second")
  func rate() throws {
    let sandbox = try create { $0.requestsPerSecond = 4 }
    for _ in 1...4 { try sandbox.countRequest() }
    #expect(throws: LimitExceeded.self) { try sandbox.countRequest() }

    world.wallClock.now = world.wallClock.now + .milliseconds(250)

    try sandbox.countRequest()
    #expect(throws: LimitExceeded.self) { try sandbox.countRequest() }
    #expect(try sandbox.uses.map(\.used) == [4])
  }

  @Test("a quiet sandbox saves no more than one second of requests, and a clock that goes back gives none")
  func saving() throws {
    let sandbox = try create { $0.requestsPerSecond = 2 }
    for seconds in [3600, -3600] {
      world.wallClock.now = world.wallClock.now + .seconds(seconds)
      for _ in 0..<(seconds > 0 ? 2 : 0) { try sandbox.countRequest() }
      #expect(throws: LimitExceeded.self) { try sandbox.countRequest() }
    }
  }

  // MARK: Storage

  @Test("a request that sends one message too many is undone")
  func messages() throws {
    let sandbox = try create { $0.messages = 2 }
    for number in 1...2 { try sandbox.withinLimits { _ = try sandbox.start("+1202555010\(number)") } }

    let error = #expect(throws: LimitExceeded.self) {
      try sandbox.withinLimits { _ = try sandbox.start("+12025550103") }
    }

    #expect(error?.limit == .messages)
    #expect(try sandbox.newest("+12025550103") == nil)
    #expect(try sandbox.uses.map(\.used) == [2])
  }

  @Test("a full sandbox still answers requests that send nothing, and due work runs")
  func full() throws {
    let sandbox = try create { $0.messages = 1 }
    try sandbox.withinLimits { _ = try sandbox.start() }

    _ = try sandbox.withinLimits { try sandbox.check("000000") }
    try sandbox.withinLimits { try sandbox.advance(by: .seconds(3600)) }

    #expect(try sandbox.newest()?.state == .expired)
  }

  @Test("deleted history makes room again")
  func deletedHistory() throws {
    let sandbox = try create { $0.messages = 1 }
    try sandbox.withinLimits { _ = try sandbox.start("+12025550101") }
    try sandbox.withinLimits { try sandbox.advance(by: .seconds(8 * 86_400)) }

    try sandbox.withinLimits { _ = try sandbox.start("+12025550102") }

    #expect(try sandbox.uses.map(\.used) == [1])
  }

  @Test("a request that stores too much is undone; the sandbox can be reset")
  func bytes() throws {
    let sandbox = try create { $0.storedBytes = Sandbox.Limits.byteRange.lowerBound }
    let text = String(repeating: "x", count: 100_000)

    #expect(throws: LimitExceeded.self) {
      for number in 10...29 {
        try sandbox.withinLimits { _ = try sandbox.start("+120255501\(number)", owner: text) }
      }
    }

    let used = try #require(try sandbox.uses.first?.used)
    #expect((500_000...Sandbox.Limits.byteRange.lowerBound).contains(used))
    let fresh = try sandbox.withinLimits { try world.sandboxes.reset(sandbox) }
    #expect(try #require(try fresh.uses.first?.used) < 10_000)
  }

  @Test("the bytes that are counted with each change are those that are measured")
  func measuring() throws {
    let sandbox = try create { $0.storedBytes = Sandbox.Limits.byteRange.upperBound }
    let before = try sandbox.uses[0].used

    try sandbox.withinLimits {
      try world.database.run(
        "INSERT INTO subscribers (sandbox, number, record) VALUES (?, ?, ?)", sandbox.id, "+12025550101",
        String(repeating: "é", count: 1000))
    }

    #expect((2000...2100).contains(try sandbox.uses[0].used - before))
  }

  @Test("the limits of one sandbox are not those of another")
  func others() throws {
    let (first, second) = (try create("a") { $0.requestsPerSecond = 1 }, try create("b") { $0.messages = 1 })
    try first.countRequest()
    try second.withinLimits { _ = try second.start() }

    for _ in 1...5 { try second.countRequest() }
    for _ in 1...5 { try first.withinLimits { _ = try first.start() } }
  }

  // MARK: Snapshots

  @Test(
    "a snapshot brings its limits to a new sandbox, and does not change those of the one that it replaces")
  func snapshots() throws {
    let sandbox = try create(ttl: .seconds(60)) { $0.messages = 1 }
    let saved = try world.sandboxes.snapshot(of: sandbox)
    _ = try create("other") { $0.messages = 7 }

    let restored = try ["copy", "other"].map {
      try world.sandboxes.restore(saved, as: $0).configuration
    }

    #expect(restored.map(\.limits.messages) == [1, 7])
    #expect(restored.map(\.ttl) == [.seconds(60), nil])
  }
}
