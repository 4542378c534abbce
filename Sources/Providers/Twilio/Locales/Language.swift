import HTTP

/// A language of messages and calls, with its texts. Source: contract 4.4 and 20.
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

  init(_ tag: String, _ message: String, _ warning: String, _ question: String? = nil) {
    self.tag = tag
    let parts = message.firstRange(of: "{friendly_name}").map {
      (message[..<$0.lowerBound], message[$0.upperBound...])
    }
    beforeName = String(parts?.0 ?? "")
    afterName = String(parts?.1 ?? message[...])
    self.warning = warning
    self.question = question
  }

  init(_ tag: String, like other: Language) {
    self.tag = tag
    beforeName = other.beforeName
    afterName = other.afterName
    warning = other.warning
    question = other.question
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
    for (tag, codes) in callingCodes {
      guard let language = find(tag) else { continue }
      for code in codes {
        let width = code < 10 ? 100 : code < 100 ? 10 : 1
        for index in code * width..<(code + 1) * width { table[index] = language }
      }
    }
    return table
  }()

  /// The language that most people speak. Where several are official, and the provider's choice is not
  /// public, it is the sandbox's. Source: contract 20.
  private static let callingCodes: KeyValuePairs<String, [Int]> = [
    "ar": [20, 212, 213, 216, 218, 222, 249, 961, 962, 963, 964, 965, 966, 967, 968, 970, 971, 973, 974],
    "ca": [376],
    "cs": [420],
    "da": [45, 298, 299],
    "de": [41, 43, 49, 423],
    "el": [30, 357],
    "es": [34, 51, 52, 53, 54, 56, 57, 58, 240, 502, 503, 504, 505, 506, 507, 591, 593, 595, 598],
    "et": [372],
    "fi": [358],
    "fr": [
      33, 221, 223, 224, 225, 226, 227, 228, 229, 235, 236, 237, 241, 242, 243, 253, 261, 262, 269, 352, 377,
      509, 590, 594, 596, 687, 689,
    ],
    "he": [972],
    "hr": [385],
    "hu": [36],
    "id": [62],
    "it": [39, 378],
    "ja": [81],
    "ko": [82],
    "lt": [370],
    "ms": [60, 673],
    "nb": [47],
    "nl": [31, 32, 597],
    "pl": [48],
    "pt": [238, 239, 244, 245, 258, 351],
    "pt-BR": [55],
    "ro": [40, 373],
    "ru": [7, 375, 996],
    "sk": [421],
    "sv": [46],
    "th": [66],
    "tr": [90],
    "uk": [380],
    "vi": [84],
    "zh-CN": [86],
    "zh-HK": [852, 853, 886],
  ]
}
