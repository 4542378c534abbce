import Basics
import Domain
import Numbers
import ProviderKit
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · similar names", .contract("camara.md 9.1"))
struct JaroWinklerTests {
  @Test(
    "similarity follows Jaro and Winkler",
    arguments: [
      ("MARTHA", "MARHTA", 96), ("DIXON", "DICKSONX", 81), ("JELLYFISH", "SMELLYFISH", 89),
      ("abc", "abc", 100),
      ("abc", "xyz", 0), ("", "a", 0), ("", "", 100), ("a", "a", 100), ("a", "b", 0),
    ])
  func similarity(one: String, other: String, percent: Int) {
    #expect(Int(100 * JaroWinkler.similarity(of: one, and: other)) == percent)
    #expect(Int(100 * JaroWinkler.similarity(of: other, and: one)) == percent)
  }

  @Test("45 A1: texts of any two lengths have a similarity from 0 to 1, and each one is like itself")
  func anyLengths() {
    var texts = Texts()
    for _ in 1...300 {
      let (one, other) = (texts.next(), texts.next())

      let similarity = JaroWinkler.similarity(of: one, and: other)

      #expect((0...1).contains(similarity), "\(one) \(other)")
      #expect(JaroWinkler.similarity(of: one, and: one) == 1)
    }
  }

  @Test(
    "45 A1: a claim as long as a body is compared at once", .timeLimit(.minutes(1)),
    arguments: ["🇩🇪", "a", "é", "e\u{301}", "👩\u{200D}", " "])
  func longClaims(part: String) throws {
    let claim = String(repeating: part, count: 1_000_000 / part.utf8.count)
    let number = try #require(PhoneNumber("+12025550100"))
    var subscriber = Subscriber(happyLineOf: number, since: .earliest)
    subscriber.kyc[.name] = "Ada"

    let match = IdentityMatch(of: claim, as: .name, with: subscriber)

    #expect(match.word == "false")
    #expect(!Similarity(of: claim, and: "Ada").isSame)
  }
}

/// Texts of 0 to 200 characters of several kinds, the same ones in each run.
private struct Texts {
  private var state: UInt64 = 45

  mutating func next() -> String {
    (0..<below(201)).map { _ in Self.parts[below(Self.parts.count)] }.joined()
  }

  private static let parts = [
    "a", "b", "c", "é", "e\u{301}", "\u{301}", "ß", "山", "👩\u{200D}🚀", "🇩🇪", " ", "-",
  ]

  private mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}
