import Database
import JSON
import Numbers
import Support
import Testing

@testable import Domain

@Suite("Domain · accepted numbers")
struct NumberPlanTests {
  @Test(
    "numbers reserved for fiction are safe",
    arguments: [
      "+12025550100", "+12025550199", "+15551234567", "+447700900000", "+447700900999", "+442079460000",
      "+441632960999", "+441134960123", "+441914980123", "+448081570001", "+33639980000", "+33639989999",
      "+33199001234", "+33536490000", "+61491570006", "+61491570159", "+61255501234", "+61870109999",
      "+493023125000", "+498999998999", "+4915228817386", "+491713920050", "+4917604069099", "+491749464308",
      "+46701740605", "+46980319299", "+353209101234", "+99012345", "+990123456789012",
    ])
  func safe(text: String) throws {
    #expect(try admits(text, .safeOnly))
  }

  @Test(
    "other numbers are not safe",
    arguments: [
      "+12025550200", "+12025550099", "+18005550100", "+14155551234", "+447700901000", "+447700899999",
      "+442079461000", "+441134961000", "+33639990000", "+33199010000", "+61491570007", "+61491570160",
      "+61255510000", "+493023124999", "+4915228817387", "+491713920100", "+46701740604", "+46701740700",
      "+353209201234", "+819012345678", "+5511912345678", "+919876543210", "+9981234567",
    ])
  func unsafe(text: String) throws {
    #expect(try !admits(text, .safeOnly))
    #expect(try admits(text, .any))
  }

  @Test(
    "numbers that cannot exist are not accepted",
    arguments: [
      ("+1202555", NumberValidity.tooShort), ("+120255501000", .tooLong), ("+10000000000", .invalidPrefix),
      ("+999123456789", .invalidCountryCode), ("+21012345678", .invalidCountryCode),
      ("+447700901000", .invalidPrefix), ("+4477009001", .invalidLength), ("+330612345678", .tooLong),
      ("+9981234567", .tooShort), ("+11234567890", .invalidPrefix),
    ])
  func impossible(text: String, problem: NumberValidity) throws {
    let number = try #require(PhoneNumber(text))
    let sandboxes = try world(.open)
    #expect(try sandboxes.defaultSandbox.numbers.validity(of: number) == problem)
    #expect(try !admits(text, .open))
    #expect(try !admits(text, .safeOnly))
    #expect(try admits(text, .any))
  }

  @Test("a record makes an impossible number valid in its sandbox")
  func recorded() throws {
    let sandboxes = try world(.open)
    let second = try #require(try sandboxes.create("second", .init()))
    let number = try #require(PhoneNumber("+999123456789"))
    try second.subscribers.keep(second.subscribers[number])

    #expect(try second.numbers.refusal(of: number, provider: "acme") == nil)
    #expect(try sandboxes.defaultSandbox.numbers.refusal(of: number, provider: "acme") != nil)
  }

  @Test("the prefixes of a seed make impossible numbers valid, and an export has them")
  func prefixes() throws {
    let sandboxes = try world(.open)
    let sandbox = sandboxes.defaultSandbox
    let ordinal = sandbox.newestOrdinal
    let seed = #"{"numberPrefixes":[{"prefix":"+999","digits":[12]},{"prefix":"+12025550"}]}"#
    try sandboxes.seeds.load(Fields(Array(seed.utf8)), into: sandbox)

    for (text, isValid) in [
      ("+999123456789", true), ("+99912345678", false), ("+12025550", true), ("+998123456789012", false),
    ] {
      let number = try #require(PhoneNumber(text))
      let validity = try sandbox.numbers.validity(of: number)
      #expect((validity == .valid) == isValid, "\(text)")
    }
    let exported = try #require(try sandboxes.seeds.export(from: sandbox)["numberPrefixes"]?.encoded())
    #expect(
      String(decoding: exported, as: UTF8.self)
        == #"[{"prefix":"+999","digits":[12]},{"prefix":"+12025550","digits":[]}]"#)
    #expect(sandbox.newestOrdinal == ordinal)

    try sandboxes.seeds.load(Fields(Array(#"{"numberPrefixes":[]}"#.utf8)), into: sandbox)
    #expect(try sandbox.numbers.prefixes.isEmpty)
  }

  @Test(
    "a seed's prefix is checked",
    arguments: [#"{"prefix":"999"}"#, #"{"prefix":"+0"}"#, #"{"prefix":"+999","digits":[16]}"#, "{}"])
  func badPrefix(prefix: String) throws {
    let sandboxes = try world(.open)
    let seed = #"{"numberPrefixes":[\#(prefix)]}"#
    #expect(throws: FieldError.self) {
      try sandboxes.seeds.load(Fields(Array(seed.utf8)), into: sandboxes.defaultSandbox)
    }
  }

  @Test("safe ranges are sorted and do not overlap, as the search needs")
  func sorted() {
    for (range, next) in zip(SafeRanges.ranges, SafeRanges.ranges.dropFirst()) {
      #expect(range.upperBound < next.lowerBound)
    }
  }

  @Test("a number that may be real causes one masked warning for all sandboxes")
  func warning() throws {
    let warnings = Warnings()
    let sandboxes = try world(.open, warnings)
    let second = try #require(try sandboxes.create("second", .init()))
    let other = try #require(PhoneNumber("+14155551234"))
    let safe = try #require(PhoneNumber("+12025550100"))

    for sandbox in [sandboxes.defaultSandbox, sandboxes.defaultSandbox, second] {
      #expect(try sandbox.numbers.refusal(of: other, provider: "acme") == nil)
      #expect(try sandbox.numbers.refusal(of: safe, provider: "acme") == nil)
    }

    #expect(warnings.texts.count == 1)
    #expect(
      warnings.texts.first?.hasPrefix("+141******34 may be a real phone number (used with acme)") == true)
  }

  @Test("at most a hundred numbers are reported")
  func flood() throws {
    let warnings = Warnings()
    let sandboxes = try world(.open, warnings)

    for number in 1000..<1300 {
      let text = "+81901234\(number)"
      let number = try #require(PhoneNumber(text))
      #expect(try sandboxes.defaultSandbox.numbers.refusal(of: number, provider: "acme") == nil)
    }

    #expect(warnings.texts.count == 101)
  }

  private func admits(_ text: String, _ policy: NumberPlan.Policy) throws -> Bool {
    let number = try #require(PhoneNumber(text))
    return try withExtendedLifetime(world(policy)) {
      try $0.defaultSandbox.numbers.refusal(of: number, provider: "acme") == nil
    }
  }

  private func world(_ policy: NumberPlan.Policy, _ warnings: Warnings = Warnings()) throws -> Sandboxes {
    var settings = Sandboxes.Settings(makeKey: TestSandbox.makeKey) { TestSandbox.start }
    settings.numbers = policy
    settings.warn = { warnings.texts.append($0) }
    return try Sandboxes(
      in: Database(.memory), settings: settings,
      seeds: SeedLibrary(sections: [], names: [], files: ["default": []]))
  }
}

/// The warnings of a sandbox. Used on one thread.
private final class Warnings: @unchecked Sendable {
  var texts: [String] = []
}
