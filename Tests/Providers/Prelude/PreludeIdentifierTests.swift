import Basics
import Domain
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · identifiers", .contract("prelude.md 2.6, 18"))
struct PreludeIdentifierTests {
  let sandbox: Sandbox
  private let world: TestSandbox

  init() throws {
    world = try TestSandbox(of: PreludeProvider.self)
    sandbox = world.sandbox
  }

  @Test("an identifier is a prefix and 26 characters of base 32 that begin with the time")
  func form() throws {
    let identifier = Identifier.text(.verification, 1, at: TestSandbox.start, in: sandbox)

    #expect(identifier.wholeMatch(of: #/vrf_01[0-9a-hjkmnp-tv-z]{24}/#) != nil)
  }

  @Test("identifiers sort by time", arguments: 1...100)
  func order(step: Int) {
    let times = [step, step + 1].map { Timestamp(milliseconds: TestSandbox.start.milliseconds + Int64($0)) }

    let one = Identifier.text(.message, 2000 - step, at: times[0], in: sandbox)
    let other = Identifier.text(.message, step, at: times[1], in: sandbox)

    #expect(one < other)
  }

  @Test("an identifier contains its ordinal", arguments: [0, 1, 7, 1_000_000, (1 << 62) - 1])
  func back(ordinal: Int) {
    let identifier = Identifier.text(.verification, ordinal, at: TestSandbox.start, in: sandbox)

    #expect(Identifier.ordinal(of: identifier, .verification, in: sandbox) == ordinal)
    #expect(Identifier.ordinal(of: "evt" + identifier.dropFirst(3), .event, in: sandbox) != ordinal)
  }

  @Test(
    "text of another form has no ordinal",
    arguments: [
      "", "vrf_", "vrf_01k9w4m7x2e8tb6hq3c5d0r1y", "vrf_81k9w4m7x2e8tb6hq3c5d0r1ya",
      "vrf_01K9W4M7X2E8TB6HQ3C5D0R1YA", "vrf_01k9w4m7x2e8tb6hq3c5d0r1yu", "vrf-01k9w4m7x2e8tb6hq3c5d0r1ya",
      "vrf_00000000000000000000000000", "vrf_7zzzzzzzzzzzzzzzzzzzzzzzzz",
    ])
  func broken(text: String) {
    #expect(Identifier.ordinal(of: text, .verification, in: sandbox) == nil)
  }

  @Test("base 32 uses the provider's alphabet")
  func alphabet() throws {
    let words = try #require(ULIDText.words("0123456789abcdefghjkmnpqrs"))

    #expect(ULIDText.text(words) == "0123456789abcdefghjkmnpqrs")
    #expect(ULIDText.text((.max, .max)) == "7zzzzzzzzzzzzzzzzzzzzzzzzz")
  }

  @Test("no two requests have the same identifier")
  func requests() {
    let identifiers = (0..<1000).map { _ in RequestContext.newID(in: sandbox) }

    #expect(Set(identifiers).count == 1000)
  }
}
