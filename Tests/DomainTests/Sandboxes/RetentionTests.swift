import Basics
import Domain
import Support
import Testing

@Suite("Domain · retention")
struct RetentionTests {
  @Test("ended rows beyond the maximum number are deleted")
  func span() throws {
    let world = try World(retention: retention(maxOrdinals: 1000))

    try run(3000, in: world)

    let rows = try world.rows
    #expect(rows["verifications", default: 0] < 500)
    #expect(rows["messages", default: 0] < 500)
    #expect(rows["events", default: 0] < 1000)
    #expect(try world.sandbox.newest("+12025552999")?.state == .approved)
    #expect(try world.sandbox.newest("+12025550000") == nil)
  }

  @Test("tables stay small however many verifications are started")
  func flat() throws {
    let world = try World(retention: retention(maxOrdinals: 1000))
    try world.sandbox.set(clock: .real)
    try run(2000, in: world)
    try settle(world)
    let before = try world.rows

    try run(4000, in: world)
    try settle(world)

    #expect(try world.rows == before)
  }

  @Test("pending rows are kept, however old")
  func waiting() throws {
    let world = try World(retention: retention(maxOrdinals: 1000))
    try world.start("+447700900123")

    try run(2000, in: world)

    #expect(try world.sandbox.newest("+447700900123")?.state == .pending)
  }

  @Test("a row that was pending in one sweep is deleted by the first sweep after its end")
  func straggler() throws {
    let world = try World(retention: retention(maxOrdinals: 1000))
    try world.start("+447700900123")
    try run(2000, in: world)

    try world.sandbox.advance(by: .seconds(2 * 3600))
    try world.sandboxes.commit()

    #expect(try world.sandbox.newest("+447700900123") == nil)
  }

  @Test("ended rows older than the maximum age are deleted by the hourly sweep")
  func age() throws {
    let world = try World(retention: retention(maxAge: .seconds(86_400)))
    try world.start("+12025550101")
    try world.sandbox.check("413618", of: "+12025550101")

    try world.sandbox.advance(by: .seconds(86_400 + 7200))

    let rows = try world.rows
    #expect([rows["verifications"], rows["messages"], rows["events"]] == [0, 0, 0])
  }

  @Test("recent ended rows are kept completely")
  func young() throws {
    let world = try World(retention: retention(maxAge: .seconds(86_400)))
    try world.start()
    try world.sandbox.check("413618")

    try world.sandbox.advance(by: .seconds(7200))

    #expect(try world.sandbox.newest()?.state == .approved)
    #expect(try world.sandbox.texts() == ["Your code is 413618"])
    #expect(try world.sandbox.turns.count == 2)
  }

  @Test("only old rows are deleted")
  func oldAndYoung() throws {
    let world = try World(retention: retention(maxAge: .seconds(86_400)))
    try world.start("+12025550101")
    try world.sandbox.advance(by: .seconds(86_400))
    try world.start("+12025550102")

    try world.sandbox.advance(by: .seconds(7200))

    #expect(try world.sandbox.newest("+12025550101") == nil)
    #expect(try world.sandbox.newest("+12025550102")?.state == .expired)
    #expect(try world.sandbox.texts("+12025550102").count == 1)
  }

  @Test("a sweep that is rolled back is repeated")
  func rollback() throws {
    let world = try World(retention: retention(maxAge: .seconds(86_400)))
    try world.start()
    #expect(throws: TestError.self) {
      try world.sandbox.atomically {
        try world.sandbox.advance(by: .seconds(2 * 86_400))
        throw TestError()
      }
    }

    try world.sandbox.advance(by: .seconds(2 * 86_400))

    #expect(try world.rows["verifications"] == 0)
  }

  /// Verifications of as many numbers, each approved, a tick each.
  private func run(_ count: Int, in world: World) throws {
    for number in 0..<count {
      let destination = "+1202555" + String(String(number + 10_000).suffix(4))
      try world.start(destination)
      let verification = try #require(try world.sandbox.newest(destination))
      try world.sandbox.check(verification.code, of: destination)
      if number % 50 == 49 { try world.sandboxes.commit() }
    }
  }

  /// Lets time pass by the wall clock until nothing is due but the next sweep.
  private func settle(_ world: World) throws {
    world.wallClock.now = world.wallClock.now + .seconds(7200)
    try world.sandboxes.catchUp()
    try world.sandboxes.commit()
  }

  private func retention(maxOrdinals: Int = 1_000_000, maxAge: Duration = .seconds(7 * 86_400)) -> Retention {
    var retention = Retention()
    retention.maxOrdinals = maxOrdinals
    retention.maxAge = maxAge
    return retention
  }
}
