import Basics
import Domain
import Support
import Testing

@Suite("Domain · the agenda")
struct AgendaTests {
  let world: World

  init() throws { world = try World() }

  @Test("due work runs in order, each item at its own time")
  func order() throws {
    try plan("+12025550101", after: .seconds(30))
    try plan("+12025550102", after: .seconds(10))
    try plan("+12025550103", after: .seconds(20))

    try world.sandbox.advance(by: .seconds(60))

    #expect(
      try world.sandbox.story == [
        "10:20:40.000 message.arrived +12025550102",
        "10:20:50.000 message.arrived +12025550103",
        "10:21:00.000 message.arrived +12025550101",
      ])
  }

  @Test("items for the same time run in the order in which they were scheduled")
  func sameTime() throws {
    for digit in 1...3 { try plan("+1202555010\(digit)", after: .seconds(10)) }

    try world.sandbox.advance(by: .seconds(10))

    #expect(try world.sandbox.turns.map(\.destination.last) == ["1", "2", "3"])
  }

  @Test("work that is due later is kept")
  func later() throws {
    try plan("+12025550101", after: .seconds(10))

    try world.sandbox.advance(by: .milliseconds(9999))

    #expect(try world.sandbox.story == [])
    #expect(try world.sandbox.agenda.first?.dueAt == TestSandbox.start + .seconds(10))
  }

  @Test("the clock shows the new time after all due work has run")
  func clock() throws {
    try world.sandbox.advance(by: .seconds(601))

    #expect(world.sandbox.clock.mode == .frozen(TestSandbox.start + .seconds(601)))
  }

  @Test("moving the clock back runs no work twice")
  func backwards() throws {
    try plan("+12025550101", after: .seconds(10))
    try world.sandbox.advance(by: .seconds(10))

    try world.sandbox.set(clockTo: TestSandbox.start)
    try world.sandbox.advance(by: .seconds(10))

    #expect(try world.sandbox.turns.count == 1)
  }

  @Test("the next due time is the time of the first item")
  func nextDue() throws {
    try plan("+12025550101", after: .seconds(30))
    try plan("+12025550102", after: .seconds(10))

    #expect(world.sandbox.nextDue == TestSandbox.start + .seconds(10))
  }

  @Test("a frozen sandbox needs no timer")
  func frozenAlarm() throws {
    #expect(world.sandboxes.timeToNextDue == nil)
  }

  @Test("a running sandbox needs a timer for its next due time")
  func alarm() throws {
    try world.sandbox.set(clock: .real)
    try plan("+12025550101", after: .seconds(10))

    #expect(world.sandboxes.timeToNextDue == .seconds(10))
  }

  @Test("overdue work needs a timer without delay")
  func overdue() throws {
    try world.sandbox.set(clock: .real)
    try plan("+12025550101", after: .seconds(10))

    world.wallClock.now = TestSandbox.start + .seconds(11)

    #expect(world.sandboxes.timeToNextDue == .zero)
  }

  @Test("catching up runs the work that is due by the wall clock")
  func catchUp() throws {
    try world.sandbox.set(clock: .real)
    try plan("+12025550101", after: .seconds(10))
    world.wallClock.now = TestSandbox.start + .seconds(12)

    try world.sandboxes.catchUp()

    #expect(try world.sandbox.story == ["10:20:40.000 message.arrived +12025550101"])
  }

  @Test("new work marks the timer as stale until the due time is read")
  func staleAlarm() throws {
    _ = world.sandboxes.timeToNextDue
    let before = world.sandboxes.hasNewDueTime

    try plan("+12025550101", after: .seconds(10))

    #expect([before, world.sandboxes.hasNewDueTime] == [false, true])
  }

  @Test("work survives a restart")
  func reopening() throws {
    let directory = try TemporaryDirectory()
    try plan("+12025550101", after: .seconds(10), in: World(directory.database))

    let reopened = try World(directory.database)
    try reopened.sandbox.advance(by: .seconds(10))

    #expect(try reopened.sandbox.story == ["10:20:40.000 message.arrived +12025550101"])
  }

  /// A message that reaches its handset that much later.
  private func plan(_ destination: String, after delay: Duration, in other: World? = nil) throws {
    let world = other ?? world
    var scenario = Scenario()
    scenario.outcome = Behaviour.slow.name
    scenario.after = delay
    try world.sandbox.scenarios.replace(with: [scenario])
    try world.sandbox.atomically {
      _ = try world.sandbox.messages.submit(.text("123456", to: destination), to: nil)
    }
    try world.sandboxes.commit()
    if other != nil { world.close() }
  }
}
