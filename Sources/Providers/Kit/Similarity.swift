/// How alike two texts are when case, accents and punctuation are left aside.
package struct Likeness: Equatable, Sendable {
  /// Whether nothing else is different.
  package let isSame: Bool
  /// From 0, nothing in common, to 99: what is not the same is never all alike.
  package let score: Int

  /// Compares two texts; of long ones only the beginnings.
  package init(of one: String, and other: String) {
    let (left, right) = (Self.letters(of: one), Self.letters(of: other))
    isSame = left == right
    let (leftStart, rightStart) = (Array(left.prefix(Self.reach)), Array(right.prefix(Self.reach)))
    let longest = max(leftStart.count, rightStart.count, 1)
    score = min(99, 100 - 100 * Self.edits(from: leftStart, to: rightStart) / longest)
  }

  /// Comparing takes time by the square of this.
  private static let reach = 256

  /// Small letters without accents, digits, and one space between words.
  private static func letters(of text: String) -> [Unicode.Scalar] {
    var letters: [Unicode.Scalar] = []
    for scalar in text.lowercased().unicodeScalars {
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
    return start < end ? Array(letters[start..<end]) : []
  }

  /// Letters of western Europe with what they are without their accents.
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

  /// Levenshtein's distance: letters to insert, leave out or replace.
  private static func edits(from one: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
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
