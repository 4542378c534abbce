import Domain
import Support
import Testing

@Suite("Domain · event log")
struct EventLogTests {
  let world: World

  init() throws { world = try World() }

  @Test("an event has time, kind and number")
  func event() throws {
    let verification = try world.start().parts.verification

    let event = try #require(try world.sandbox.events.after(0).first)

    #expect(event.at == TestSandbox.start)
    #expect(event.kind == .verificationStarted)
    #expect([event.provider, event.destination] == ["acme", "+12025550100"])
    #expect(event.subject == verification.ordinal)
  }

  @Test("a reader continues after the last event that it has seen")
  func cursor() throws {
    for digit in 0...2 { try world.start("+1202555010\(digit)") }
    let all = try world.sandbox.events.after(0)

    #expect(
      all.map(\.kind) == Array(repeating: [.verificationStarted, .messageSent], count: 3).flatMap { $0 })
    #expect(try world.sandbox.events.after(all[0].ordinal) == Array(all[1...]))
    #expect(try world.sandbox.events.after(all[5].ordinal) == [])
    #expect(try world.sandbox.events.after(0, limit: 2) == Array(all[..<2]))
  }
}
