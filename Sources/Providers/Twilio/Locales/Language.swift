import ProviderKit

/// A language of messages and calls, with its texts.
///
/// A class, so that a verification passes on one reference instead of six texts.
final class Language: Sendable {
  /// As in `Locale`: `de`, `pt-BR`.
  let tag: String
  /// The message before the name.
  private let beforeName: String
  /// The message between the name and the code, which is at its end.
  private let afterName: String
  /// The sentence that warns against sharing the code, with the mark that ends the sentence before it.
  private let warning: String
  /// What calls ask before they read the code; nil if they do not speak the language.
  let question: String?
  /// Of countries where most people speak it.
  private let callingCodes: [Int]

  fileprivate init(_ row: TextTable.Row) throws(TextTable.Mistake) {
    tag = row[0]
    let (message, warned) = (row[1], row[2])
    guard let name = message.firstRange(of: "{friendly_name}"), message.hasSuffix("{code}"),
      warned.hasPrefix("{message}")
    else { throw row.mistake(expected: "{friendly_name} in a message that ends with {code}") }
    beforeName = String(message[..<name.lowerBound])
    afterName = String(message[name.upperBound...].dropLast("{code}".count))
    warning = String(warned.dropFirst("{message}".count))
    question = row.optional(3)
    callingCodes = try row.numbers(4)
  }

  static let english = find("en") ?? all[0]

  /// All of them, sorted by tag.
  static let all = embedded {
    try TextTable(PackageResources.Languages_txt, columns: 5...5).rows.map { try Language($0) }
  }

  func message(from name: String, code: String) -> String {
    String(joining: beforeName, name, afterName, code)
  }

  /// Adds the warning against sharing the code.
  func addWarning(to message: String) -> String {
    let endsSentence = message.last == warning.first
    return (endsSentence ? String(message.dropLast()) : message) + warning
  }

  /// The language of a tag in any letter case, or of its first subtag: `de-AT` is German.
  static func find(_ tag: String) -> Language? {
    let tag = tag.lowercased()
    return byTag[tag] ?? byTag[String(tag.prefix { $0 != "-" })]
  }

  private static let byTag = Dictionary(
    all.map { ($0.tag.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}

/// The language of a number's country.
extension Language {
  /// English for countries without an entry, and for destinations that are no phone numbers.
  static func ofCountry(of destination: String) -> Language {
    // The first four digits: calling codes have at most three, and North America's next three are the area.
    var digits = 0
    var count = 0
    for byte in destination.utf8.dropFirst().prefix(4) where (0x30...0x39).contains(byte) {
      digits = digits * 10 + Int(byte - 0x30)
      count += 1
    }
    guard count == 4 else { return .english }
    if digits < 2000 { return spanishAreas.contains(digits) ? spanish : .english }
    return byCallingCode[digits / 10]
  }

  /// The Dominican Republic and Puerto Rico.
  private static let spanishAreas = [1787, 1809, 1829, 1849, 1939]
  private static let spanish = find("es") ?? .english

  /// By the first three digits of a number.
  private static let byCallingCode: [Language] = {
    var table = [Language](repeating: .english, count: 1000)
    for language in all {
      for code in language.callingCodes {
        let width = code < 10 ? 100 : code < 100 ? 10 : 1
        for index in code * width..<(code + 1) * width { table[index] = language }
      }
    }
    return table
  }()
}
