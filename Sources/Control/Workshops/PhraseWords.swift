/// The words of join phrases.
enum PhraseWords {
  static let adjectives = words(of: PackageResources.Adjectives_txt)
  static let nouns = words(of: PackageResources.Nouns_txt)
  static let all = Set(adjectives + nouns)

  private static func words(of file: [UInt8]) -> [String] {
    embedded {
      try TextTable(file, columns: 1...1).rows.flatMap { $0.words(0) }
    }
  }
}
