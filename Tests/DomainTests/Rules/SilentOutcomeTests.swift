import Domain
import JSON
import Numbers
import Testing

@Suite("Domain · outcomes of silent verifications")
struct SilentOutcomeTests {
  let world: World
  let number: PhoneNumber

  init() throws {
    world = try World()
    number = try #require(PhoneNumber("+12025550100"))
  }

  @Test(
    "without a scenario the outcome follows from the record",
    arguments: [
      ("{}", SilentOutcome.match), (#"{"coversSilent":false}"#, .noCoverage),
      (#"{"lineType":"landline"}"#, .noCoverage), (#"{"suspended":true}"#, .noCoverage),
      (#"{"deactivatedAt":"-1d"}"#, .noCoverage), (#"{"deactivatedAt":"2027-01-01"}"#, .match),
      (#"{"session":{"on":false}}"#, .notMobile), (#"{"interference":"vpn"}"#, .notMobile),
      (#"{"barring":["data"]}"#, .notMobile), (#"{"consent":{"*":"denied"}}"#, .match),
    ])
  func record(document: String, outcome: SilentOutcome) throws {
    try change(document)

    #expect(try asked() == outcome)
  }

  @Test("the request's outcome wins over the sandbox's scenarios, and those over the number's")
  func precedence() throws {
    #expect(try asked() == .match)

    try change(#"{"scenarios":[{"outcome":"mismatch"}]}"#)
    #expect(try asked() == .mismatch)

    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"timeout"}"#))])
    #expect(try asked() == .timeout)
    #expect(try asked(Scenario(requested: "loop")) == .loop)
    #expect(try asked(Scenario(requested: "undeliverable")) == .timeout)
  }

  @Test(
    "a scenario of the sandbox applies to silent verifications that match",
    arguments: [
      (#"{"channel":"silent"}"#, true), ("{}", true), (#"{"number":"+12025550100"}"#, true),
      (#"{"number":"+12025550101"}"#, false), (#"{"provider":"acme"}"#, true),
      (#"{"provider":"other"}"#, false),
      (#"{"sender":"Acme"}"#, false),
    ])
  func matching(match: String, concerns: Bool) throws {
    try world.sandbox.scenarios.replace(
      with: [Scenario(Fields(#"{"match":\#(match),"outcome":"garbage"}"#))])

    #expect(try asked() == (concerns ? .garbage : .match))
  }

  @Test("a scenario about messages does not apply to silent verifications, and is not counted")
  func otherChannels() throws {
    try world.sandbox.scenarios.replace(
      with: [Scenario(Fields(#"{"outcome":"undeliverable"}"#)), Scenario(Fields(#"{"outcome":"loop"}"#))])

    #expect(try asked() == .loop)
    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [0, 1])
  }

  @Test("a number's scenario counts its matches, and starts again when it is changed")
  func turns() throws {
    try change(#"{"scenarios":[{"match":{"nth":2},"outcome":"mismatch"}]}"#)
    let first = try (1...3).map { _ in try asked() }

    try change(#"{"scenarios":[{"outcome":"mismatch","times":1}]}"#)
    let second = try (1...2).map { _ in try asked() }
    try change(#"{"session":{"port":4000}}"#)

    #expect(first == [.match, .mismatch, .match])
    #expect(second == [.mismatch, .match])
    #expect(try asked() == .match)
  }

  private func asked(_ requested: Scenario? = nil) throws -> SilentOutcome {
    try world.sandbox.scenarios.silentOutcome(for: number, provider: "acme", requested: requested)
  }

  private func change(_ document: String) throws {
    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(Fields(document))
    try world.sandbox.subscribers.keep(subscriber)
  }
}
