import Domain
import JSON
import Support
import Testing

@Suite("Control · relative times")
struct RelativeTimeTests {
  private let desk: Desk
  private let twoHoursAgo = TestSandbox.start + .seconds(86_400 - 7_200)

  /// A day after the start of the clock.
  init() throws {
    desk = try Desk()
    _ = try desk.ask("POST /control/clock", #"{"advance":"1d"}"#)
  }

  @Test(
    "in a record, they are counted from the present time",
    arguments: [
      ("PUT /control/subscribers/+12025550100", #"{"simSwaps":["-2h"]}"#),
      ("POST /control/seed", #"{"subscribers":[{"number":"+12025550100","simSwaps":["-2h"]}]}"#),
      ("POST /control/subscribers/+12025550100/events", #"{"event":"simSwap","at":"-2h"}"#),
    ])
  func present(line: String, body: String) throws {
    _ = try desk.ask(line, body)

    #expect(try swaps() == [twoHoursAgo])
  }

  @Test("they are kept as absolute times")
  func kept() throws {
    _ = try desk.ask("PUT /control/subscribers/+12025550100", #"{"simSwaps":["-2h"]}"#)
    _ = try desk.ask("POST /control/clock", #"{"advance":"1d"}"#)
    _ = try desk.ask("PUT /control/subscribers/+12025550100", #"{"portedAt":"-1d"}"#)

    #expect(try swaps() == [twoHoursAgo])
    let exported = try desk.world.sandboxes.seeds.export(from: desk.sandbox).encoded()
    #expect(String(decoding: exported, as: UTF8.self).contains("[\"\(twoHoursAgo.iso8601Exact)\"]"))
  }

  private func swaps() throws -> [Timestamp] {
    try desk.sandbox.subscribers[#require(PhoneNumber("+12025550100"))].simSwaps
  }
}
