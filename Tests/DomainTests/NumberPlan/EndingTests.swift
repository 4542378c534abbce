import Basics
import Domain
import JSON
import Numbers
import Support
import Testing

@Suite("Domain · numbers with fixed behaviour")
struct EndingTests {
  let world: World

  init() throws { world = try World() }

  @Test(
    "an ending sets what the table says, and nothing else",
    arguments: [
      (0, #""coversSilent":true"#), (2, #""coversSilent":true,"simSwaps":["2026-01-02T10:20:30Z"]"#),
      (5, #""coversSilent":true,"originalMnc":"99","ported":true,"portedAt":"2025-12-26T10:20:30Z""#),
      (
        8,
        #""coversSilent":true,"activatedAt":"2025-12-06T10:20:30Z","#
          + #""subscriberPeriods":[{"from":"2023-01-06T10:20:30Z","to":"2025-10-07T10:20:30Z"},"#
          + #"{"from":"2025-12-06T10:20:30Z","to":null}]"#
      ), (10, ""), (12, #""lineType":"landline","operator":"Sandpiper Fixed""#), (25, ""),
      (32, #""deactivatedAt":"2025-12-31T10:20:30Z""#),
      (37, #""roaming":{"on":true,"mcc":"208","countries":["FR"]}"#),
      (39, #""forwarding":["unconditional"]"#), (45, #""operator":"Wren Mobile","mnc":"99""#),
      (46, #""coversSilent":true,"consent":{"*":"denied"}"#), (50, ""), (54, #""optOut":["*"]"#),
      (55, #""lineType":"non_fixed_voip","operator":"Sandpiper Voice""#), (56, #""barring":["smsIn"]"#),
      (60, #""deviceSwaps":["2026-01-05T09:20:30Z"]"#), (69, #""deviceSwaps":["2026-01-05T09:20:30Z"]"#),
      (70, ""), (98, ""),
    ])
  func endings(ending: Int, says: String) throws {
    let line = world.sandbox.subscribers.unrecorded(try number("+1312555", 100 + ending, digits: 4))

    // The IMSI and the ICCID follow from the network code, so they differ too.
    let said = difference(line).filter { !["imsi", "iccid"].contains($0.name) }
      .filter { $0.name != "originalMnc" || ending == 5 }
    #expect(JSON.object(said).text == "{\(says)}")
  }

  @Test(
    "an ending with a failure has its own scenario",
    arguments: [
      (30, ["undeliverable"]), (31, ["noReceipt"]), (33, ["submitFail:throttled"]), (34, ["filtered"]),
      (35, ["busy"]), (36, ["voicemail"]), (40, ["mismatch"]), (41, ["carrierError"]), (42, ["timeout"]),
      (43, ["garbage"]), (44, ["loop"]), (51, ["slow"]), (53, ["memoryFull"]),
      (99, ["carrierError", "undeliverable"]), (52, []), (47, []),
    ])
  func scenarios(ending: Int, outcomes: [String]) throws {
    let line = world.sandbox.subscribers.unrecorded(try number("+3363998", 4200 + ending, digits: 4))

    #expect(line.scenarios.map(\.outcome) == outcomes)
    #expect(line.coversSilent == [40, 41, 42, 43, 44, 99].contains(ending))
    #expect(line.mcc + line.mnc == (line.coversSilent ? "20801" : "20899"))
  }

  @Test(
    "only the two fictional ranges have endings",
    arguments: [
      ("+12025550112", true), ("+19995550112", true), ("+33639980012", true), ("+33639989912", true),
      ("+18005550112", false), ("+11235550112", false), ("+12025550212", false), ("+12025560112", false),
      ("+33639970012", false), ("+447700900112", false), ("+120255501120", false), ("+990555000112", false),
    ])
  func ranges(text: String, hasEnding: Bool) throws {
    let line = world.sandbox.subscribers.unrecorded(try #require(PhoneNumber(text)))

    #expect((line.lineType == .landline) == hasEnding)
  }

  @Test(
    "under 990, even numbers match, odd ones mismatch, and 99 fails",
    arguments: [
      ("+990123456", SilentOutcome.match, []), ("+990123457", .mismatch, ["mismatch"]),
      ("+990123499", .carrierError, ["carrierError", "undeliverable"]), ("+990123400", .match, []),
    ])
  func digitRule(text: String, outcome: SilentOutcome, scenarios: [String]) throws {
    let number = try #require(PhoneNumber(text))
    let line = try world.sandbox.subscribers[number]

    #expect(line.scenarios.map(\.outcome) == scenarios)
    #expect(line.simSwaps == [TestSandbox.start - .seconds(500 * 3600)])
    #expect(try world.sandbox.scenarios.silentOutcome(for: number, provider: "acme") == outcome)
  }

  private func number(_ prefix: String, _ rest: Int, digits: Int) throws -> PhoneNumber {
    let text = String(rest)
    return try #require(PhoneNumber(prefix + String(repeating: "0", count: digits - text.count) + text))
  }

  private func difference(_ line: Subscriber) -> [JSON.Member] {
    line.difference(from: Subscriber(happyLineOf: line.number))
  }
}
