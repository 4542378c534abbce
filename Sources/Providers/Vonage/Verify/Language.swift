import ProviderKit

/// A language of messages.
struct Language {
  let tag: String
  private let message: String
  private let question: String
  private let yes: [String]
  private let no: [String]

  private init(_ row: TextTable.Row) {
    (tag, message, question) = (row[0], row[1], row[2])
    (yes, no) = (row.words(3), row.words(4))
  }

  /// The language of a tag such as `fr-fr`; English for others.
  init(ofTag tag: String) {
    let subtag = tag.prefix { $0 != "-" }.lowercased()
    self = Self.byTag[subtag] ?? Self.all[0]
  }

  func message(from brand: String, code: String) -> String {
    Placeholders.braces.fill(message) { $0 == "brand" ? brand : code }
  }

  func question(from brand: String) -> String { Placeholders.braces.fill(question) { _ in brand } }

  /// What a person answers to a question in any language; nil for another text.
  static func answer(in text: String) -> Bool? {
    let word = text.lowercased().filter { $0.isLetter }
    if all.contains(where: { $0.yes.contains(word) }) { return true }
    return all.contains { $0.no.contains(word) } ? false : nil
  }

  /// English first.
  private static let all = embedded {
    try TextTable(PackageResources.Languages_txt, columns: 5...5).rows.map(Language.init)
  }
  private static let byTag = Dictionary(uniqueKeysWithValues: all.map { ($0.tag, $0) })
}
