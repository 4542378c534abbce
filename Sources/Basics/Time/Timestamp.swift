package import JSON

/// A point in time on a sandbox's clock, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Years 1 to 9999. Times beyond become the first or the last one: all formats have four digits for the year,
/// and arithmetic cannot overflow.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  /// 0001-01-01T00:00:00.000Z.
  package static let earliest = Timestamp(milliseconds: -62_135_596_800_000)
  /// 9999-12-31T23:59:59.999Z.
  package static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  package init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999)
  }

  @inlinable
  package static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.milliseconds < other.milliseconds
  }

  package static func + (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds &+ span.milliseconds)
  }

  package static func - (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds &- span.milliseconds)
  }

  package static func - (time: Timestamp, other: Timestamp) -> Duration {
    .milliseconds(time.milliseconds &- other.milliseconds)
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero. At most `maximum` in either direction.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = Swift.min(Swift.max(self, .zero - .maximum), .maximum).components
    return seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
  }

  /// Whole seconds, rounded towards zero. At most `maximum` in either direction.
  package var wholeSeconds: Int { Int(milliseconds / 1000) }

  /// All years of `Timestamp`.
  package static let maximum = Duration.seconds(315_537_897_600)
}

/// Formatting.
extension Timestamp {
  /// `2026-01-05T10:20:30Z`: ISO 8601 in UTC, whole seconds.
  package var iso8601: String {
    text {
      $0.date(of: self, separator: "T"); $0.add("Z")
    }
  }

  /// Writes `iso8601` as a member, without making a string first: responses are full of dates.
  package func write(iso8601 name: StaticString, to json: inout JSONWriter) {
    json.member(name, atMost: 32) { memory in
      var text = DateText(end: memory)
      text.date(of: self, separator: "T")
      text.add("Z")
      memory = text.end
    }
  }

  /// `2026-01-05T10:20:30.412Z`: ISO 8601 in UTC with milliseconds.
  package var iso8601Milliseconds: String { text { $0.preciseDate(of: self) } }

  /// Writes `iso8601Milliseconds` as a member, without making a string first.
  package func write(iso8601Milliseconds name: StaticString, to json: inout JSONWriter) {
    json.member(name, atMost: 32) { memory in
      var text = DateText(end: memory)
      text.preciseDate(of: self)
      memory = text.end
    }
  }

  /// The same time without its milliseconds.
  package var wholeSeconds: Timestamp { Timestamp(milliseconds: floored(1000) * 1000) }

  /// With milliseconds only if they are not 0.
  package var iso8601Exact: String { milliseconds % 1000 == 0 ? iso8601 : iso8601Milliseconds }

  /// `Mon, 05 Jan 2026 10:20:30 GMT`: the format of the `Date` header (RFC 9110, 5.6.7).
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

  /// Writes a date into memory. The caller provides enough room.
  private struct DateText {
    var end: UnsafeMutablePointer<UInt8>

    mutating func add(_ text: StaticString) {
      end.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
      end += text.utf8CodeUnitCount
    }

    /// Two to four digits.
    mutating func add(_ number: Int, digits: Int) {
      let number = UInt32(truncatingIfNeeded: number)
      if digits > 3 { add(digit: number / 1000) }
      if digits > 2 { add(digit: number / 100 % 10) }
      add(digit: number / 10 % 10)
      add(digit: number % 10)
    }

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

    /// With milliseconds.
    mutating func preciseDate(of time: Timestamp) {
      date(of: time, separator: "T")
      add(".")
      add(Int(time.milliseconds - time.floored(1000) * 1000), digits: 3)
      add("Z")
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

/// Conversion to calendar dates.
extension Timestamp {
  /// Year, month and day in the proleptic Gregorian calendar.
  ///
  /// Counts in eras of 400 years that start on the first of March, so that the leap day comes last.
  var civil: (year: Int, month: Int, day: Int) {
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

  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  fileprivate var days: Int64 { floored(86_400_000) }

  fileprivate var secondOfDay: Int { Int(floored(1000) - days * 86_400) }

  fileprivate func floored(_ unit: Int64) -> Int64 {
    milliseconds >= 0 ? milliseconds / unit : (milliseconds - unit + 1) / unit
  }
}
