import Catalog
import ProviderKit
import Testing

@Suite("Kit · similarity")
struct SimilarityTests {
  @Test(
    "case, accents, punctuation and spaces are ignored",
    arguments: [
      ("Éloïse", "eloise"), ("E\u{301}loise", "Éloise"), ("Müller", "Muller"), ("Straße", "STRASSE"),
      ("12, rue de l'Échelle", "12 Rue de l Echelle"), ("  Paris ", "paris"), ("Œuvre", "oeuvre"),
      ("", "..."),
      ("Jean-Luc", "jean luc"), ("Łódź", "lodz"), ("東京", "東京"),
    ])
  func same(one: String, other: String) {
    let similarity = Similarity(of: one, and: other)

    #expect(similarity.isSame)
    #expect(Similarity(of: other, and: one) == similarity)
  }

  @Test(
    "different texts have a score",
    arguments: [
      ("Smith", "Smyth", 80), ("Smith", "Jones", 0), ("Smith", "", 0), ("abcd", "abcdefgh", 50),
      ("1", "2", 0),
    ])
  func score(one: String, other: String, score: Int) {
    let similarity = Similarity(of: one, and: other)

    #expect(!similarity.isSame)
    #expect(similarity.score == score)
    #expect(Similarity(of: other, and: one).score == score)
  }

  @Test("long texts with a small difference are not the same")
  func almost() {
    let long = String(repeating: "a", count: 255)
    let far = String(repeating: "a", count: 300)

    #expect(Similarity(of: long + "b", and: long + "c").score == 99)
    #expect(Similarity(of: far + "b", and: far + "c") == Similarity(of: far + "d", and: far + "e"))
    #expect(!Similarity(of: far + "b", and: far + "c").isSame)
  }
}
