import Basics
import Support
import Testing

@testable import Domain

@Suite("Verifications · a code for each attempt")
struct AttemptCodeTests {
  let world: World
  private let rules: VerificationRules

  init() throws {
    world = try World()
    var rules = VerificationRules()
    rules.codes = .perAttempt
    rules.refusesStartWhileLocked = false
    self.rules = rules
  }

  private func start(over channel: Channel = .sms, code: String? = nil) throws -> Verification {
    try world.start(over: channel, rules: rules, code: code).parts.verification
  }

  @Test("each attempt has its own code, and each is accepted")
  func own() throws {
    let codes = try (0..<3).map { _ in try start().code }

    let first = try world.sandbox.check(codes[0])

    #expect(Set(codes).count == 3)
    #expect(first.name == "approved")
    let attempts = try #require(try world.sandbox.newest()).attempts.all
    #expect(attempts.map(\.code) == codes)
    #expect(attempts.map(\.isAnswered) == [true, false, false])
  }

  @Test(
    "times of stored attempts are read with their sign, and damaged ones are left out",
    arguments: [
      ("sms@1767608430000", [1_767_608_430_000]), ("sms@-315619200000", [-315_619_200_000]),
      ("sms@-9223372036854775808 call@1", [Timestamp.earliest.milliseconds, 1]),
      ("sms@99999999999999999", [Timestamp.latest.milliseconds]), ("sms@12-3", []),
      ("sms@1e9 call@2=31", [2]),
    ] as [(String, [Int64])])
  func storedTimes(column: String, times: [Int64]) {
    #expect(Attempts(column: column).all.map(\.sentAt.milliseconds) == times)
  }

  @Test("the first code is the same as with one code for all attempts")
  func first() throws {
    let other = try World()

    #expect(try start().code == other.start().parts.verification.code)
  }

  @Test("codes with any characters survive in the row", arguments: ["123456", "a@b =!%", "é ö", "!!!!"])
  func characters(code: String) throws {
    _ = try start(code: code)
    _ = try start()

    let attempts = try #require(try world.sandbox.newest()).attempts.all

    #expect(attempts.map(\.code)[0] == code)
    #expect(try world.sandbox.check(code).name == "approved")
    #expect(try #require(try world.sandbox.newest()).attempts.all[0].isAnswered)
  }

  @Test("a silent attempt gets its code when the number is proven, and keeps it")
  func silent() throws {
    let verification = try start(over: .silent)
    let before = try world.sandbox.check("")
    let code = try #require(
      try world.sandbox.verifications.revealCode(
        ofAttempt: 1, of: verification.ordinal, length: 6))
    let again = try world.sandbox.verifications.revealCode(ofAttempt: 1, of: verification.ordinal, length: 6)

    #expect(verification.code == "" && before.name == "wrongCode")
    #expect(again == code)
    #expect(try world.sandbox.check(code).name == "approved")
    #expect(
      try world.sandbox.verifications.revealCode(ofAttempt: 1, of: verification.ordinal, length: 6) == code)
  }

  @Test("a silent attempt proven after the verification's end has no code")
  func late() throws {
    let verification = try start(over: .silent)
    try world.sandbox.advance(by: .seconds(600))

    let code = try world.sandbox.verifications.revealCode(ofAttempt: 1, of: verification.ordinal, length: 6)

    #expect(code == nil)
    #expect(
      try world.sandbox.verifications.revealCode(ofAttempt: 2, of: verification.ordinal, length: 6) == nil)
    #expect(try world.sandbox.verifications.revealCode(ofAttempt: 1, of: 9999, length: 6) == nil)
  }

  @Test("invalidated codes are rejected; the next attempt's code is accepted")
  func void() throws {
    let old = try start()
    try world.sandbox.verifications.invalidateCodes(of: old)

    let wrong = try world.sandbox.check(old.code)
    let new = try start()

    #expect(wrong.name == "wrongCode")
    #expect(new.ordinal == old.ordinal && new.code != old.code)
    #expect(try world.sandbox.check(new.code).name == "approved")
  }

  @Test("a lock rejects new starts only if the rules say so")
  func lock() throws {
    let locked = try start()
    for _ in 0..<6 { try world.sandbox.check("000000") }

    let next = try start()

    #expect(try world.sandbox.verifications.find(locked.ordinal)?.state == .exhausted)
    #expect(next.ordinal != locked.ordinal && next.state == .pending)
  }

  @Test("a denied verification is recorded beside the pending one, which is still found")
  func denied() throws {
    let waiting = try start()

    let denied = try world.sandbox.verifications.deny(
      waiting.claim, details: ProviderDetails(#"{"why":1}"#))

    #expect(try world.sandbox.newest()?.ordinal == waiting.ordinal)
    #expect(try start().ordinal == waiting.ordinal)
    let all = try world.sandbox.verifications.list("acme", before: .max, limit: 10)
    #expect(all.map(\.ordinal) == [denied.ordinal, waiting.ordinal])
    let page = try world.sandbox.verifications.list(
      "acme", of: "+12025550100", before: denied.ordinal, limit: 10)
    #expect(page.map(\.ordinal) == [waiting.ordinal])
    #expect(try world.sandbox.verifications.find(denied.ordinal)?.attempts.all == [])
  }
}
