import JSON

extension Timestamp {
  /// Reads the date of an email or HTTP header (RFC 1123, RFC 2822): `Mon, 05 Jan 2026 10:20:30 GMT`, or with a
  /// numeric zone, `+0200`. The weekday may be missing and is not held against the date.
  package init?(rfc1123 text: String) {
    var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
    if let first = words.first, first.hasSuffix(",") { words.removeFirst() }
    guard words.count == 5, let day = Self.number(words[0], 1...2),
      let month = Self.monthNames.firstIndex(of: words[1].lowercased()),
      let year = Self.number(words[2], 4...4), [5, 8].contains(words[3].utf8.count),
      let minutes = Self.zone(words[4])
    else { return nil }
    let time = words[3].utf8.count == 5 ? words[3] + ":00" : words[3]
    let date = "\(year)-\(Self.two(month + 1))-\(Self.two(day))T\(time)Z"
    guard let local = Timestamp(iso8601: date) else { return nil }
    self.init(milliseconds: local.milliseconds - minutes * 60_000)
  }

  private static let monthNames = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func number(_ word: Substring, _ length: ClosedRange<Int>) -> Int? {
    guard length.contains(word.utf8.count), word.utf8.allSatisfy({ $0.isDigit }) else {
      return nil
    }
    return Int(word)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Minutes east of Greenwich.
  private static func zone(_ word: Substring) -> Int64? {
    if ["GMT", "UT", "UTC", "Z"].contains(word.uppercased()) { return 0 }
    guard let sign = word.first, sign == "+" || sign == "-", let digits = number(word.dropFirst(), 4...4),
      digits / 100 < 24, digits % 100 < 60
    else { return nil }
    return Int64(digits / 100 * 60 + digits % 100) * (sign == "-" ? -1 : 1)
  }
}
