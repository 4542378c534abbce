import Basics
import Domain
import Support
import Testing

@Suite("Domain · cached verifications")
struct VerificationCacheTests {
  let world: World
  var sandbox: Sandbox { world.sandbox }

  init() throws { world = try World() }

  @Test("what is found is what the row has, after every change")
  func changes() throws {
    let verification = try world.start().parts.verification
    let changes: [(Verification) throws -> Void] = [
      { try sandbox.verifications.save(ProviderDetails(#"{"n":1}"#), with: $0) },
      { try sandbox.verifications.setExpiry(of: $0, to: TestSandbox.start + .seconds(900)) },
      { try sandbox.verifications.replaceCode(of: $0, with: "1234") },
      { _ = try sandbox.verifications.check("0000", of: $0, limit: 5) },
      { _ in _ = try world.start(over: .call) },
      { try sandbox.verifications.invalidateCodes(of: $0) },
      { _ = try sandbox.verifications.finish($0, as: .canceled) },
    ]
    for change in changes {
      let found = try #require(try sandbox.verifications.find(verification.ordinal))
      try change(found)

      let changed = try #require(try sandbox.verifications.find(verification.ordinal))
      #expect(changed != found)
      #expect(try sandbox.verifications.all() == [changed])
    }
  }

  @Test("a change that was rolled back is not found")
  func rollback() throws {
    let verification = try world.start().parts.verification

    #expect(throws: TestError.self) {
      try sandbox.atomically {
        _ = try sandbox.verifications.finish(verification, as: .canceled)
        throw TestError()
      }
    }

    #expect(try sandbox.verifications.find(verification.ordinal) == verification)
  }

  @Test("a deleted verification is not found")
  func deletion() throws {
    let verification = try world.start().parts.verification

    try sandbox.verifications.deleteAll(ofOwner: "shop", provider: "acme")

    #expect(try sandbox.verifications.find(verification.ordinal) == nil)
  }

  @Test("a verification is found after hundreds of others, and so are those")
  func many() throws {
    let all = try (0..<600).map { try world.start("+1202555\(1000 + $0)").parts.verification }

    for verification in all { #expect(try sandbox.verifications.find(verification.ordinal) == verification) }
  }

  @Test("a new verification's record is not decoded, and one from a row is")
  func decoding() throws {
    let record = try #require(try Counted(stored: "3"))
    let details = ProviderDetails(record)
    let copy = details

    #expect(try (copy.record() as Counted).identity === record.identity)
    let read: Counted = try ProviderDetails(details.text).record()
    #expect(read == record && read.identity !== record.identity)
  }

  @Test("a verification with another record of the provider has none of this type")
  func otherRecord() throws {
    let details = ProviderDetails("{}")

    #expect(try details.optionalRecord() as Counted? == nil)
    #expect(throws: DamagedState.self) { try details.record() as Counted }
  }
}

/// A record that shows whether it was decoded again.
private struct Counted: VerificationRecord {
  final class Identity: Sendable {}

  let size: Int
  let identity = Identity()

  init?(stored text: String) throws {
    guard let digit = text.first(where: \.isNumber)?.wholeNumberValue else { return nil }
    size = digit
  }

  var encoded: String { #"{"size":\#(size)}"# }

  static func == (a: Counted, b: Counted) -> Bool { a.size == b.size }
}
