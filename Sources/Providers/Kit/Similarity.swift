/// How similar two texts are, ignoring case, accents and punctuation. Of long texts, the beginnings are
/// compared.
package struct Similarity: Equatable, Sendable {
  /// True if the texts differ in nothing else.
  package let isSame: Bool
  /// 0 to 99, where 0 is nothing in common. Also 99 for equal texts: look at `isSame`.
  package let score: Int

  package init(of one: String, and other: String) {
    let (left, right) = (Self.normalized(one), Self.normalized(other))
    isSame = left == right
    let (leftStart, rightStart) = (Array(left.prefix(Self.limit)), Array(right.prefix(Self.limit)))
    let longest = max(leftStart.count, rightStart.count, 1)
    score = min(99, 100 - 100 * Self.distance(from: leftStart, to: rightStart) / longest)
  }

  /// In Unicode scalars. The time of the score grows with the square of this.
  private static let limit = 256
  /// More than any name or address has.
  private static let textLimit = 1_000

  /// Lower-case letters without accents, digits, and one space between words.
  private static func normalized(_ text: String) -> [Unicode.Scalar] {
    var letters: [Unicode.Scalar] = []
    for scalar in String(text.unicodeScalars.prefix(textLimit)).lowercased().unicodeScalars {
      if let plain = plain[scalar] {
        letters += plain.unicodeScalars
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        letters.append(scalar)
      } else if !scalar.properties.isDiacritic, scalar.properties.generalCategory != .nonspacingMark,
        letters.last != " "
      {
        letters.append(" ")
      }
    }
    let start = letters.first == " " ? 1 : 0
    let end = letters.last == " " ? letters.count - 1 : letters.count
    return Array(letters[Range(start, upTo: end)])
  }

  /// European letters without their accents.
  private static let plain: [Unicode.Scalar: String] = {
    var plain: [Unicode.Scalar: String] = ["æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "đ": "d", "ł": "l"]
    let families: [(String, String)] = [
      ("àáâãäåāă", "a"), ("çćč", "c"), ("ď", "d"), ("èéêëēěę", "e"), ("ìíîïī", "i"), ("ñńň", "n"),
      ("òóôõöōő", "o"), ("řŕ", "r"), ("śšş", "s"), ("ťţ", "t"), ("ùúûüūůű", "u"), ("ýÿ", "y"), ("źżž", "z"),
    ]
    for (accented, letter) in families {
      for scalar in accented.unicodeScalars { plain[scalar] = letter }
    }
    return plain
  }()

  /// Levenshtein distance: letters to insert, delete or replace.
  private static func distance(from one: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
    var row = Array(0...other.count)
    for (line, left) in one.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, right) in other.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
