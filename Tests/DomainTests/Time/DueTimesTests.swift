import Basics
import Database
import Support
import Testing

@testable import Domain

@Suite("Domain · when sandboxes are due")
struct DueTimesTests {
  private func time(_ seconds: Int) -> Timestamp { TestSandbox.start + .seconds(seconds) }

  @Test("the sandbox that is due first comes first, however times have changed")
  func order() {
    var due = DueTimes()
    for (sandbox, seconds) in [(1, 30), (2, 10), (3, 20), (2, 40), (4, 5), (4, nil), (3, 15)] {
      due.set(seconds.map(time), of: sandbox)
    }

    let first = due.first
    #expect(first == .init(time: time(15), sandbox: 3))
    let found = [30, 39, 40].map { due.removeAll(dueBy: time($0)) }
    #expect(found == [[3, 1], [], [2]])
    let none = due.first
    #expect(none == nil)
  }

  @Test("a time that is set again after it was removed counts once")
  func again() {
    var due = DueTimes()
    for seconds: Int? in [1, 2, nil, 1, 2, 1] { due.set(seconds.map(time), of: 7) }

    let found = [9, 9].map { due.removeAll(dueBy: time($0)) }
    #expect(found == [[7], []])
  }

  @Test("it finds what a search of all times finds", arguments: 1...8 as ClosedRange<UInt64>)
  func model(seed: UInt64) {
    var random = Steps(state: seed)
    var (due, times) = (DueTimes(), [Int: Timestamp]())
    for _ in 0..<3_000 {
      let sandbox = Int(random.next() % 50)
      switch random.next() % 10 {
      case 0:
        due.set(nil, of: sandbox)
        times[sandbox] = nil
      case 1:
        let end = time(Int(random.next() % 100))
        let found = due.removeAll(dueBy: end)
        #expect(found.sorted() == times.filter { $0.value <= end }.keys.sorted())
        for sandbox in found { times[sandbox] = nil }
      default:
        let next = time(Int(random.next() % 1_000))
        due.set(next, of: sandbox)
        times[sandbox] = next
      }
      let first = due.first?.time
      #expect(first == times.values.min())
    }
  }

  @Test(
    "the event loop's next due time is the earliest of all sandboxes, after any changes",
    arguments: 1...4 as ClosedRange<UInt64>)
  func sandboxes(seed: UInt64) throws {
    var random = Steps(state: seed)
    let world = try World()
    var made = 0
    for _ in 0..<300 {
      let all = world.sandboxes.all
      let sandbox = all[Int(random.next() % UInt64(all.count))]
      switch random.next() % 10 {
      case 0 where all.count < 12:
        made += 1
        var configuration = Sandbox.Configuration()
        configuration.clock = random.next() % 2 == 0 ? .real : .frozen(world.wallClock.now)
        if random.next() % 2 == 0 { configuration.ttl = .seconds(Int64(30 + random.next() % 100)) }
        _ = try world.sandboxes.create("s\(made)", configuration)
      case 1 where sandbox !== world.sandbox: try world.sandboxes.remove(sandbox)
      case 2: _ = try world.sandboxes.reset(sandbox)
      case 3: try sandbox.atomically { try sandbox.set(clock: .real) }
      case 4: try sandbox.atomically { try sandbox.advance(by: .seconds(Int64(random.next() % 400))) }
      case 5: try sandbox.configure { $0.ttl = $0.ttl == nil ? .seconds(50) : nil }
      case 6:
        #expect(throws: TestError.self) {
          try sandbox.atomically {
            try sandbox.start()
            try sandbox.set(clock: .frozen(world.wallClock.now))
            throw TestError()
          }
        }
      case 7:
        world.wallClock.now = world.wallClock.now + .seconds(Int64(random.next() % 200))
        try world.sandboxes.catchUp()
      case 8:
        world.breakNextCommit()
        try sandbox.start()
        #expect(throws: (any Error).self) { try world.sandboxes.commit() }
      default:
        try sandbox.countRequest()
        try sandbox.atomically { _ = try sandbox.start("+1202555\(1_000 + random.next() % 9_000)") }
      }
      if random.next() % 3 == 0 { try world.sandboxes.commit() }
      #expect(world.sandboxes.timeToNextDue == expected(in: world))
    }
  }

  @Test("a sandbox that is removed does nothing that is due")
  func removed() throws {
    let world = try World()
    var configuration = Sandbox.Configuration()
    configuration.ttl = .seconds(60)
    try #require(try world.sandboxes.create("short", configuration)).start()
    try world.database.run(
      """
      CREATE TEMP TRIGGER failure BEFORE UPDATE ON verifications BEGIN SELECT RAISE(ABORT, 'failure'); END
      """)
    world.wallClock.now = world.wallClock.now + .seconds(3600)

    try world.sandboxes.catchUp()

    #expect(world.sandboxes.count == 1)
  }

  /// By asking all sandboxes.
  private func expected(in world: World) -> Duration? {
    let now = world.wallClock.now
    if world.sandboxes.hasJobs { return .zero }
    return world.sandboxes.all.compactMap { $0.dueTime(at: now).map { max(.zero, $0 - now) } }.min()
  }
}

/// Numbers that look random: a linear congruential generator.
private struct Steps {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
