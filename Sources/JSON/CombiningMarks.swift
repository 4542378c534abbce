/// Comparing and hashing text sorts the combining marks after each letter, in quadratic time. 200,000 marks
/// after one letter take ten seconds per comparison, so text from outside must not have that many.
package enum CombiningMarks {
  /// The maximum number of marks in a row (UAX #15, section 13, Stream-Safe Text Format).
  package static let limit = 30

  /// Names the limit in errors.
  package static let expected = "at most \(limit) combining marks in a row"

  /// True if the text has more than `limit` marks in a row.
  package static func areTooMany(in text: String, limit: Int = limit) -> Bool {
    guard mayHaveMarks(text) else { return false }
    var run = 0
    for scalar in text.unicodeScalars {
      if scalar.value >= first, scalar.properties.canonicalCombiningClass != .notReordered {
        run += 1
        if run > limit { return true }
      } else {
        run = 0
      }
    }
    return false
  }

  /// False for almost all texts, and fast, since every text from outside is checked.
  private static func mayHaveMarks(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      for byte in bytes where byte >= firstByte { return true }
      return false
    }
  }

  /// The first combining mark, and the first byte of its UTF-8.
  private static let first: UInt32 = 0x300
  private static let firstByte: UInt8 = 0xCC
}
