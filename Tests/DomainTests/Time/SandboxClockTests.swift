import Basics
import Domain
import Support
import Testing

@Suite("Domain · the sandbox's clock")
struct SandboxClockTests {
  let wallClock = HandClock()

  @Test("a real clock shows the wall clock's time")
  func real() {
    let clock = clock(.real)

    wallClock.now = TestSandbox.start + .seconds(7)

    #expect(clock.now == TestSandbox.start + .seconds(7))
  }

  @Test("a frozen clock does not move")
  func frozen() {
    let clock = clock(.frozen(Timestamp(milliseconds: 42)))

    wallClock.now = TestSandbox.start + .seconds(7)

    #expect(clock.now == Timestamp(milliseconds: 42))
  }

  @Test("an offset clock moves with the wall clock")
  func offset() {
    let clock = clock(.offset(.seconds(-60)))

    wallClock.now = TestSandbox.start + .seconds(7)

    #expect(clock.now == TestSandbox.start - .seconds(53))
  }

  @Test(
    "in a transaction, a real clock stands still", arguments: [SandboxClock.Mode.real, .offset(.seconds(60))])
  func transaction(mode: SandboxClock.Mode) throws {
    let world = try World(clock: mode)
    let start = world.sandbox.clock.now

    let times = try world.sandbox.atomically {
      world.wallClock.now = TestSandbox.start + .seconds(7)
      return try [world.sandbox.clock.now, world.sandbox.atomically { world.sandbox.clock.now }]
    }

    #expect(times == [start, start])
    #expect(world.sandbox.clock.now == start + .seconds(7))
  }

  @Test("a frozen clock stays frozen when it is set")
  func settingFrozen() {
    #expect(
      clock(.frozen(TestSandbox.start)).mode(showing: Timestamp(milliseconds: 42))
        == .frozen(.init(milliseconds: 42)))
  }

  @Test(
    "a running clock keeps running when it is set", arguments: [SandboxClock.Mode.real, .offset(.seconds(5))])
  func settingRunning(mode: SandboxClock.Mode) {
    #expect(clock(mode).mode(showing: TestSandbox.start + .seconds(90)) == .offset(.seconds(90)))
  }

  @Test(
    "a clock that runs with any offset stays within 1970 to 9998",
    arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(-3_000_000_000)])
  func offsetLimits(shift: Duration) {
    #expect(SandboxClock.range.contains(clock(.offset(shift)).now))
  }

  @Test("each mode has a name")
  func words() {
    let modes: [SandboxClock.Mode] = [.real, .frozen(TestSandbox.start), .offset(.zero)]

    #expect(modes.map(\.word) == ["real", "frozen", "offset"])
  }

  @Test("a clock uses its new mode")
  func change() {
    var clock = clock(.real)

    clock.set(.frozen(Timestamp(milliseconds: 42)))

    #expect(clock.now == Timestamp(milliseconds: 42))
  }

  private func clock(_ mode: SandboxClock.Mode) -> SandboxClock {
    let wallClock = wallClock
    return SandboxClock(mode: mode) { wallClock.now }
  }
}
