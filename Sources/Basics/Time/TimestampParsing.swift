import JSON

/// Parsing ISO 8601, RFC 3339 and the dates of HTTP and email.
extension Timestamp {
  /// Reads ISO 8601 in UTC with capital `T` and `Z`, with or without a fraction; nil for other text.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    let separators: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    guard separators.allSatisfy({ bytes[$0.0] == $0.1.asciiValue }) else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      guard bytes[range].allSatisfy({ $0.isDigit }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      let digits = bytes[20..<bytes.count - 1]
      guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy({ $0.isDigit })
      else { return nil }
      fraction = (digits.prefix(3) + [0x30, 0x30]).prefix(3).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    let days = Self.days(year: year, month: month, day: day)
    let time = (hour * 60 + minute) * 60 + second
    self.init(milliseconds: (days * 86_400 + time) * 1000 + fraction)
    guard day >= 1, civil == (Int(year), Int(month), Int(day)) else { return nil }
  }

  /// Reads RFC 3339 with any offset from UTC: `2026-01-05T10:20:30.5+02:00`; nil for other text.
  ///
  /// Small `t` and `z`, and a space between date and time, are allowed as in the RFC.
  package init?(rfc3339 text: String) {
    var bytes = Array(text.utf8)
    guard bytes.count >= 20 else { return nil }
    switch bytes[10] {
    case UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " "): bytes[10] = UInt8(ascii: "T")
    default: return nil
    }
    var offset: Int64 = 0
    if bytes.last == UInt8(ascii: "Z") || bytes.last == UInt8(ascii: "z") {
      bytes[bytes.count - 1] = UInt8(ascii: "Z")
    } else {
      guard bytes.count >= 25, let minutes = Self.offset(bytes.suffix(6)) else { return nil }
      offset = minutes
      bytes.replaceSubrange((bytes.count - 6)..., with: [UInt8(ascii: "Z")])
    }
    guard let local = Timestamp(iso8601: String(decoding: bytes, as: UTF8.self)) else { return nil }
    self.init(milliseconds: local.milliseconds - offset * 60_000)
  }

  /// `+02:00` in minutes.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let text = Array(bytes)
    let isNegative = text[0] == UInt8(ascii: "-")
    let digits = [text[1], text[2], text[4], text[5]].map { Int64($0) - 0x30 }
    guard isNegative || text[0] == UInt8(ascii: "+"), text[3] == UInt8(ascii: ":"),
      digits.allSatisfy({ (0...9).contains($0) })
    else { return nil }
    let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -1 : 1)
  }

  /// Reads the date of an email or HTTP header (RFC 1123, RFC 2822): `Mon, 05 Jan 2026 10:20:30 GMT`, or with
  /// a numeric zone, `+0200`. The weekday may be missing and is not checked.
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
