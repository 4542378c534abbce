import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · reports of lost messages")
struct LossTests {
  private let world: World
  private let ear = Ear()

  /// The events and their times. A class, because the hook writes to it.
  private final class Ear {
    var heard: [(message: Message, at: Timestamp)] = []
    var echoes = 0
  }

  init() throws {
    world = try World(
      hooks: [
        ProviderHooks(name: "acme") { [ear] notice, sandbox in
          guard case .lost(let message) = notice else { return }
          ear.heard.append((message, sandbox.clock.now))
          guard ear.echoes > 0 else { return }
          ear.echoes -= 1
          try sandbox.messages.submit(.lost(), to: nil)
        }
      ])
  }

  @Test("the provider is notified at the time of the loss, even if the clock is set past it")
  func lost() throws {
    ear.echoes = 1
    let message = try world.sandbox.messages.submit(.lost(), to: nil)

    try world.sandbox.advance(by: .seconds(3600))

    #expect(ear.heard.map(\.message.ordinal).first == message.ordinal)
    #expect(ear.heard.map { ($0.at - TestSandbox.start).milliseconds } == [500, 1000])
    #expect(world.sandbox.clock.now == TestSandbox.start + .seconds(3600))
    #expect(world.sandbox.clock.mode == .frozen(TestSandbox.start + .seconds(3600)))
  }

  @Test("a provider that asks for it is notified when the person hangs up", arguments: [true, false])
  func hungUp(reports: Bool) throws {
    var draft = MessageDraft.text("1111", over: .call)
    draft.scenario = Scenario(requested: "answerHangup")
    draft.reportsLoss = true
    draft.reportsHangUp = reports
    try world.sandbox.messages.submit(draft, to: nil)

    try world.sandbox.advance(by: .seconds(60))

    #expect(ear.heard.map { ($0.at - TestSandbox.start).milliseconds } == (reports ? [2300] : []))
  }

  @Test("a running clock keeps running")
  func running() throws {
    try world.sandbox.set(clock: .real)
    try world.sandbox.messages.submit(.lost(), to: nil)

    world.wallClock.now = TestSandbox.start + .seconds(5)
    try world.sandbox.catchUp()

    #expect(ear.heard.map { ($0.at - TestSandbox.start).milliseconds } == [500])
    #expect(world.sandbox.clock.mode == .real)
  }

  @Test("without a loss, or without a request to report it, nobody is notified")
  func quiet() throws {
    var draft = MessageDraft.lost()
    draft.reportsLoss = false
    try world.sandbox.messages.submit(draft, to: nil)
    draft = .text("1111")
    draft.reportsLoss = true
    try world.sandbox.messages.submit(draft, to: nil)

    try world.sandbox.advance(by: .seconds(3600))

    #expect(ear.heard.isEmpty)
  }

  @Test("a message that is released in time is not lost")
  func released() throws {
    let number = try #require(PhoneNumber("+12025550100"))
    var subscriber = try world.sandbox.subscribers[number]
    try subscriber.merge(Fields(#"{"reach":{"sms":false}}"#))
    var draft = MessageDraft.text("1111")
    draft.reportsLoss = true
    try world.sandbox.messages.submit(draft, to: subscriber)
    try world.sandbox.advance(by: .seconds(60))
    try world.sandbox.messages.release(to: number, over: [.sms])

    try world.sandbox.advance(by: .seconds(3600))

    #expect(ear.heard.isEmpty)
  }
}

extension MessageDraft {
  /// A text that the carrier gives up after half a second.
  fileprivate static func lost() -> MessageDraft {
    var draft = text("1111")
    draft.scenario = Scenario(requested: "undeliverable")
    draft.reportsLoss = true
    return draft
  }
}
