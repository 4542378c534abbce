import Basics
import Domain
import Support
import Testing

@Suite("Domain · scheduled submission and expiry of messages", .contract("carrier.md 4.3"))
struct ValidityTests {
  let world: World
  let messages: Messages
  private let start = TestSandbox.start

  init() throws {
    world = try World()
    messages = world.sandbox.messages
  }

  private func inbox(after seconds: Int) throws -> Int {
    try world.sandbox.set(clockTo: start + .seconds(seconds))
    return try messages.inbox(Messages.Filter()).count
  }

  @Test("a scheduled message is submitted at its time, and arrives after that")
  func putOff() throws {
    let message = try messages.submit(.text("123456"), to: nil, at: start + .seconds(3600))

    #expect(message.submittedAt == start + .seconds(3600))
    #expect(try inbox(after: 3599) == 0)
    #expect(try inbox(after: 3600) == 1)
  }

  @Test("an expiry after the arrival has no effect")
  func inTime() throws {
    let free = try messages.submit(.text("123456"), to: nil)
    let limited = try messages.submit(.text("123456"), to: nil, expiring: start + .seconds(60))

    #expect(limited.receipts == free.receipts && limited.arrivesAt == free.arrivesAt)
  }

  @Test("a message that would arrive after its expiry is not delivered, and its last receipt says so")
  func late() throws {
    try world.sandbox.scenarios.replace(with: [try #require(Scenario(requested: "slow"))])

    let message = try messages.submit(.text("123456"), to: nil, expiring: start + .seconds(5))

    #expect(message.arrivesAt == nil)
    #expect(message.receipts.all.last == DeliveryReceipt(.expired, after: .seconds(5), error: 60))
    #expect(!message.receipts.all.contains { $0.state == .delivered })
    #expect(try inbox(after: 600) == 0)
  }
}
