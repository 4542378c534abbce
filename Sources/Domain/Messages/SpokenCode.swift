import JSON

/// A code that a call reads out digit by digit, such as `1, 2, 3, 4, 5`.
enum SpokenCode {
  /// The code in a text: 4 to 8 single digits in a row, between spaces, commas, periods or hyphens. A text
  /// may repeat it. Nil if there is no code, or more than one.
  static func find(in text: String) -> String? {
    var codes: Set<String> = []
    var digits = ""
    for word in text.split(whereSeparator: { " ,.-\n".contains($0) }) {
      if word.utf8.count == 1, word.utf8.allSatisfy({ $0.isDigit }) {
        digits += word
      } else {
        insert(&digits, into: &codes)
      }
    }
    insert(&digits, into: &codes)
    return codes.count == 1 ? codes.first : nil
  }

  /// Adds a run of digits, if it is long enough, and begins the next one.
  private static func insert(_ digits: inout String, into codes: inout Set<String>) {
    if (4...8).contains(digits.utf8.count) { codes.insert(digits) }
    digits = ""
  }
}
