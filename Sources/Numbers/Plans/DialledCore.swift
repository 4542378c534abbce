/// The digits of a text that people wrote as a phone number, without what is around it and an extension.
struct DialledCore {
  /// ASCII digits, letters as on a phone's keys.
  let digits: Substring
  let hasPlus: Bool

  /// In bytes. Longer texts are no numbers.
  private static let limit = 250

  /// Nil if the text has no number.
  init?(_ text: String) {
    guard text.utf8.count <= Self.limit else { return nil }
    var rest = Array(text.unicodeScalars)
    let context = Self.context(in: text)
    rest = Array(rest.drop { !Self.isPlus($0) && !Self.isDigit($0) })
    if let end = Self.place(of: ";isub=", in: rest) ?? Self.place(of: ";phone-context=", in: rest) {
      rest.removeSubrange(end...)
    }
    rest = context + rest
    Self.removeSecondNumber(from: &rest)
    while let last = rest.last, !Self.mayEnd(last) { rest.removeLast() }
    Self.removeExtension(from: &rest)
    let start = rest.prefix(while: Self.isPlus).count
    rest.removeFirst(start)
    hasPlus = start > 0
    guard Self.isNumber(rest, hasPlus) else { return nil }
    let hasWord = rest.count(where: Self.isLetter) >= 3
    digits = Substring(rest.compactMap { Self.digit(of: $0) ?? (hasWord ? Self.key(of: $0) : nil) }.joined())
  }

  /// Digits and punctuation, which begin with three digits before any letter; or two digits.
  private static func isNumber(_ text: [Unicode.Scalar], _ hasPlus: Bool) -> Bool {
    if !hasPlus, text.count == 2, text.allSatisfy(isDigit) { return true }
    let start = text.prefix { !isLetter($0) }
    return start.count(where: isDigit) >= 3
      && text.allSatisfy { isDigit($0) || isLetter($0) || isPunctuation($0) || $0 == "*" }
  }

  /// `+44` of `tel:2079460958;phone-context=+44` (RFC 3966).
  private static func context(in text: String) -> [Unicode.Scalar] {
    guard let found = text.firstRange(of: ";phone-context=") else { return [] }
    let context = text[found.upperBound...].prefix { $0 != ";" }
    return context.first == "+" ? Array(context.unicodeScalars) : []
  }

  private static func place(of word: String, in text: [Unicode.Scalar]) -> Int? {
    let word = Array(word.unicodeScalars)
    return text.indices.first { text[$0...].starts(with: word) }
  }

  /// `530-583-6985 x302/x2303` has two extensions.
  private static func removeSecondNumber(from text: inout [Unicode.Scalar]) {
    let second = text.indices.first { place in
      ["/", "\\"].contains(text[place]) && text[(place + 1)...].first { $0 != " " } == "x"
    }
    if let second { text.removeSubrange(second...) }
  }

  /// `ext. 5`, `x5`, `#5`, `;ext=5`, `доб 5`.
  private static func removeExtension(from text: inout [Unicode.Scalar]) {
    var end = text.count
    if text.last == "#" { end -= 1 }
    let digits = text[..<end].reversed().prefix(while: isDigit).count
    guard (1...20).contains(digits) else { return }
    var place = end - digits
    while place > 0, " \u{A0}\t.:=-,".unicodeScalars.contains(text[place - 1]) { place -= 1 }
    let hasCommas = text[place..<(end - digits)].count { $0 == "," } >= 2
    let word = text[..<place].reversed().prefix {
      !isDigit($0) && !isPunctuation($0) && $0 != ";" || $0 == "x"
    }
    let label = String(String.UnicodeScalarView(word.reversed())).lowercased()
    guard hasCommas || labels.contains(label) || text[..<place].last == ";" else { return }
    var start = place - (hasCommas ? 0 : word.count)
    if text[..<start].last == ";" { start -= 1 }
    if text[..<start].count(where: isDigit) >= 3 { text.removeSubrange(start...) }
  }

  private static let labels: Set = [
    "x", "xx", "#", "##", "~", "ext", "extn", "extensi", "extension", "extensión", "int", "anexo", "доб",
    "ｘ", "ｅｘｔ", "＃", "～",
  ]

  private static func isPlus(_ scalar: Unicode.Scalar) -> Bool { scalar == "+" || scalar == "\u{FF0B}" }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .decimalNumber
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && scalar.properties.isAlphabetic
  }

  private static func digit(of scalar: Unicode.Scalar) -> String? {
    isDigit(scalar) ? scalar.properties.numericValue.map { String(Int($0)) } : nil
  }

  /// Source: ITU-T E.161.
  private static func key(of scalar: Unicode.Scalar) -> String? {
    let letter = Character(scalar).lowercased()
    return keys.firstIndex { $0.contains(letter) }.map { String($0 + 2) }
  }

  private static let keys = ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]

  private static func mayEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "#" || isDigit(scalar) || scalar.properties.isAlphabetic
  }

  /// Dashes, blanks, full stops, slashes, brackets and tildes, of other scripts too. Source: libphonenumber.
  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2010...0x2015, 0x2212, 0x30FC, 0xFF0D...0xFF0F, 0xA0, 0xAD, 0x200B, 0x2060, 0x3000, 0xFF08, 0xFF09,
      0xFF3B, 0xFF3D, 0x2053, 0x223C, 0xFF5E:
      true
    default: "- x./()[]~".unicodeScalars.contains(scalar)
    }
  }
}
