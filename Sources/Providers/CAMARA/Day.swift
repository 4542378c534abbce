import ProviderKit

/// A date of the calendar, in UTC. Source: contract 8.1.
struct Day: Comparable {
  /// `2026-01-05`
  let text: String

  init(_ time: Timestamp) { text = String(time.iso8601.prefix(10)) }

  /// Nil for text that is no date.
  init?(_ text: String) {
    guard text.utf8.count == 10, Timestamp(iso8601: text + "T00:00:00Z") != nil else { return nil }
    self.text = text
  }

  /// Years have four digits, so the texts have the order of the days.
  static func < (one: Day, other: Day) -> Bool { one.text < other.text }

  /// True once somebody who was born on this day is so many years old. A birthday on the 29th of February is
  /// on the 1st of March in other years.
  func isPast(years: Int, on today: Day) -> Bool {
    guard let born = Int(text.prefix(4)), let year = Int(today.text.prefix(4)) else { return false }
    let age = year - born - (today.text.dropFirst(4) < text.dropFirst(4) ? 1 : 0)
    return age >= years
  }
}

extension Fields {
  func optionalDay(_ name: String) throws -> Day? {
    guard let text = try optionalString(name) else {
      try requireAbsent(name, expected: Self.dayFormat)
      return nil
    }
    guard let day = Day(text) else { throw mismatch(name, expected: Self.dayFormat) }
    return day
  }

  /// A date that is not in the future. Source: contract 8.1, 9.2.
  func day(_ name: String, notAfter today: Day) throws -> Day {
    guard let day = try optionalDay(name) else { throw mismatch(name, expected: Self.dayFormat) }
    guard day <= today else { throw APIError.outOfRange(name, expected: "a day up to \(today.text)") }
    return day
  }

  private static let dayFormat = "a date such as 2026-01-05"
}
