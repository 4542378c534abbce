package import JSON

extension Timestamp {
  /// `2026-01-05T10:20:30Z`: ISO 8601 in UTC, whole seconds.
  package var iso8601: String {
    text {
      $0.date(of: self, separator: "T"); $0.add("Z")
    }
  }

  /// Writes the same as a member's text, without a string in between: answers are full of dates.
  package func write(iso8601 name: StaticString, to json: inout JSONWriter) {
    json.member(name, atMost: 32) { memory in
      var text = DateText(end: memory)
      text.date(of: self, separator: "T")
      text.add("Z")
      memory = text.end
    }
  }

  /// `2026-01-05T10:20:30.412Z`: ISO 8601 in UTC with milliseconds.
  package var iso8601Milliseconds: String {
    text {
      $0.date(of: self, separator: "T")
      $0.add(".")
      $0.add(Int(milliseconds - floored(1000) * 1000), digits: 3)
      $0.add("Z")
    }
  }

  /// The shorter of the two forms that tells the time exactly.
  package var iso8601Exact: String { milliseconds % 1000 == 0 ? iso8601 : iso8601Milliseconds }

  /// `Mon, 05 Jan 2026 10:20:30 GMT`: the form of the `Date` field (RFC 9110, 5.6.7).
  package var httpDate: String {
    let (year, month, day) = civil
    return text {
      $0.add(Self.weekdays[Int(((days % 7) + 11) % 7)])
      $0.add(", ")
      $0.add(day, digits: 2)
      $0.add(" ")
      $0.add(Self.months[month - 1])
      $0.add(" ")
      $0.add(year, digits: 4)
      $0.add(" ")
      $0.time(of: self)
      $0.add(" GMT")
    }
  }

  /// Reads ISO 8601 in UTC with capital `T` and `Z`, with or without a fraction; nil for anything else.
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

  /// Year, month and day in the proleptic Gregorian calendar.
  ///
  /// Counts in eras of 400 years that start on the first of March, so that the leap day comes last.
  private var civil: (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }

  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private var days: Int64 { floored(86_400_000) }

  fileprivate var secondOfDay: Int { Int(floored(1000) - days * 86_400) }

  private func floored(_ unit: Int64) -> Int64 {
    milliseconds >= 0 ? milliseconds / unit : (milliseconds - unit + 1) / unit
  }

  private static let weekdays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func text(_ body: (inout DateText) -> Void) -> String {
    String(unsafeUninitializedCapacity: 32) { memory in
      guard let start = memory.baseAddress else { preconditionFailure("32 bytes have an address") }
      var text = DateText(end: start)
      body(&text)
      return text.end - start
    }
  }

  /// Digits and names being put together where they stay.
  private struct DateText {
    var end: UnsafeMutablePointer<UInt8>

    mutating func add(_ text: StaticString) {
      end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
      end += text.utf8CodeUnitCount
    }

    /// Two to four digits.
    @inline(__always)
    mutating func add(_ number: Int, digits: Int) {
      let number = UInt32(truncatingIfNeeded: number)
      if digits > 3 { add(digit: number / 1000) }
      if digits > 2 { add(digit: number / 100 % 10) }
      add(digit: number / 10 % 10)
      add(digit: number % 10)
    }

    @inline(__always)
    private mutating func add(digit: UInt32) {
      end.pointee = 0x30 + UInt8(truncatingIfNeeded: digit)
      end += 1
    }

    mutating func date(of time: Timestamp, separator: StaticString) {
      let (year, month, day) = time.civil
      add(year, digits: 4)
      add("-")
      add(month, digits: 2)
      add("-")
      add(day, digits: 2)
      add(separator)
      self.time(of: time)
    }

    mutating func time(of time: Timestamp) {
      let second = time.secondOfDay
      add(second / 3600, digits: 2)
      add(":")
      add(second / 60 % 60, digits: 2)
      add(":")
      add(second % 60, digits: 2)
    }
  }
}
