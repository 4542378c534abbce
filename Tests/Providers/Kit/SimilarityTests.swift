import Catalog
import ProviderKit
import Testing

@Suite("Toolkit · likeness")
struct LikenessTests {
  @Test(
    "case, accents, punctuation and spaces make no difference",
    arguments: [
      ("Éloïse", "eloise"), ("E\u{301}loise", "Éloise"), ("Müller", "Muller"), ("Straße", "STRASSE"),
      ("12, rue de l'Échelle", "12 Rue de l Echelle"), ("  Paris ", "paris"), ("Œuvre", "oeuvre"),
      ("", "..."),
      ("Jean-Luc", "jean luc"), ("Łódź", "lodz"), ("東京", "東京"),
    ])
  func same(one: String, other: String) {
    let likeness = Likeness(of: one, and: other)

    #expect(likeness.isSame)
    #expect(Likeness(of: other, and: one) == likeness)
  }

  @Test(
    "what differs has a score by how much",
    arguments: [
      ("Smith", "Smyth", 80), ("Smith", "Jones", 0), ("Smith", "", 0), ("abcd", "abcdefgh", 50),
      ("1", "2", 0),
    ])
  func score(one: String, other: String, score: Int) {
    let likeness = Likeness(of: one, and: other)

    #expect(!likeness.isSame)
    #expect(likeness.score == score)
    #expect(Likeness(of: other, and: one).score == score)
  }

  @Test("texts that differ in little among much are never all alike")
  func almost() {
    let long = String(repeating: "a", count: 255)
    let far = String(repeating: "a", count: 300)

    #expect(Likeness(of: long + "b", and: long + "c").score == 99)
    #expect(Likeness(of: far + "b", and: far + "c") == Likeness(of: far + "d", and: far + "e"))
    #expect(!Likeness(of: far + "b", and: far + "c").isSame)
  }
}
