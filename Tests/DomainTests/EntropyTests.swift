import Basics
import Testing

@Suite("Domain · entropy")
struct EntropyTests {
  let entropy = Entropy(seed: 1)

  @Test(
    "codes are the same in every release",
    arguments: [
      (1, ["413618", "378376", "276203"]), (7, ["964980", "183281", "392010"]),
      (-1, ["589330", "299015", "952305"]),
    ])
  func codes(seed: Int, codes: [String]) {
    let entropy = Entropy(seed: seed)

    #expect(
      (1...3).map { entropy.code(length: 6, for: "+12025550100", provider: "acme", series: $0) } == codes)
  }

  @Test("45 A2: a series and a length of a damaged row have a code", arguments: [Int.min, -1, Int.max])
  func damagedRow(number: Int) {
    #expect(entropy.code(length: 6, for: "+12025550100", provider: "acme", series: number).utf8.count == 6)
    #expect(entropy.code(length: min(0, number), for: "", provider: "acme", series: 1).isEmpty)
  }

  @Test("identifiers are the same in every release")
  func identifiers() {
    #expect(entropy.identifier("VE", 1) == "df027bb8b4844cdbb220eb1df3d24169")
    #expect(entropy.identifier("VE", 2) == "e2746625e1d33276edc5ce3a994c6658")
    #expect(entropy.identifier("RQ", 1, 3) == "9793cd85a5c7c68d1929083c4118250a")
    #expect(Entropy(seed: 7).identifier("VE", 1) == "71f5dc09a96a730fa4758c04ca5b12a5")
  }

  @Test("secrets are the same in every release")
  func secrets() {
    #expect(entropy.secret("key", length: 32, of: .hex) == "7c8a38b828c27eab306836204b7e44ee")
    #expect(entropy.secret("key", length: 16, of: .alphanumeric) == "508SzGTw6UWgxEGt")
  }

  @Test("derived entropy is the same in every release, and differs in everything")
  func derived() {
    let derived = entropy.derived(for: "ci")

    #expect(derived == Entropy(seed: 1).derived(for: "ci"))
    #expect(derived.identifier("VE", 1) == "1313549ce43be2a8b7357c3f886d90bc")
    #expect(derived.identifier("VE", 1) != entropy.derived(for: "cd").identifier("VE", 1))
    #expect(derived.identifier("VE", 1) != Entropy(seed: 2).derived(for: "ci").identifier("VE", 1))
    #expect(derived.secret("key", length: 16, of: .hex) != entropy.secret("key", length: 16, of: .hex))
  }

  @Test("derived entropy keeps its identifiers when the random seed changes")
  func derivedAfterChange() {
    var changed = entropy
    changed.seed = 2

    #expect(changed.derived(for: "ci").identifier("VE", 1) == entropy.derived(for: "ci").identifier("VE", 1))
    #expect(
      changed.derived(for: "ci").secret("key", length: 16, of: .hex)
        != entropy.derived(for: "ci").secret("key", length: 16, of: .hex))
  }

  @Test("a shorter code is the start of a longer one")
  func lengths() {
    #expect(entropy.code(length: 10, for: "+12025550100", provider: "acme", series: 1) == "4136182156")
  }

  @Test("a code depends on the provider and on the destination")
  func places() {
    #expect(entropy.code(length: 6, for: "+12025550100", provider: "other", series: 1) == "842991")
    #expect(entropy.code(length: 4, for: "ada@example.com", provider: "acme", series: 1) == "5987")
  }

  @Test("an identifier decodes to its ordinals, and all are different")
  func inversion() {
    var seen: Set<String> = []
    let ordinals = Array(0..<2000) + [Int.max, Int.min, -1, 1 << 40]
    for ordinal in ordinals {
      for part in [0, 1, Int.max] {
        let digits = entropy.identifier("VE", ordinal, part)
        let (first, second) = entropy.ordinals(of: digits, under: "VE") ?? (-7, -7)

        #expect([first, second] == [ordinal, part])
        #expect(seen.insert(digits).inserted)
      }
    }
  }

  @Test("an identifier has 32 lower-case hex digits")
  func form() {
    #expect((0..<500).allSatisfy { entropy.identifier("VE", $0).wholeMatch(of: /[0-9a-f]{32}/) != nil })
  }

  @Test("an id with another label decodes to unknown ordinals")
  func otherLabel() throws {
    let ordinals = try #require(entropy.ordinals(of: entropy.identifier("VA", 5), under: "VE"))

    #expect(ordinals.1 != 0)
  }

  @Test("an id of another seed decodes to unknown ordinals")
  func otherSeed() throws {
    let ordinals = try #require(entropy.ordinals(of: Entropy(seed: 2).identifier("VE", 5), under: "VE"))

    #expect(ordinals.1 != 0)
  }

  @Test(
    "other text decodes to nothing",
    arguments: [
      "", "df027bb8b4844cdbb220eb1df3d2416", "df027bb8b4844cdbb220eb1df3d241699",
      "DF027BB8B4844CDBB220EB1DF3D24169",
      "+f027bb8b4844cdbb220eb1df3d24169", "df027bb8b4844cdb+220eb1df3d24169",
      "gf027bb8b4844cdbb220eb1df3d24169",
      "ééééééééééééééééé", "df027bb8b4844cdb b220eb1df3d24169",
    ])
  func noDigits(text: String) {
    #expect(entropy.ordinals(of: text, under: "VE") == nil)
  }

  @Test("another entropy seed changes codes, but old identifiers are still found")
  func newSeed() {
    var changed = entropy

    changed.seed = 7

    #expect(changed.identifier("VE", 1) == entropy.identifier("VE", 1))
    #expect(changed.code(length: 6, for: "+12025550100", provider: "acme", series: 1) == "964980")
  }

  @Test("all digits are about equally frequent in each position")
  func spread() {
    var counts = Array(repeating: Array(repeating: 0, count: 10), count: 6)
    for number in 0..<10_000 {
      let code = entropy.code(length: 6, for: "+1202555\(number)", provider: "acme", series: 1)
      for (place, digit) in code.utf8.enumerated() { counts[place][Int(digit) - 48] += 1 }
    }

    // Five standard deviations of a count of 1 in 10 among 10 000 are 150.
    #expect(counts.joined().allSatisfy { abs($0 - 1000) < 150 })
  }

  @Test("codes of one number's verifications rarely repeat")
  func series() {
    let codes = (1...1000).map { entropy.code(length: 6, for: "+12025550100", provider: "acme", series: $0) }

    #expect(Set(codes).count > 990)
  }
}
