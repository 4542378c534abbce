package import Basics
import Database
package import JSON
import Numbers

/// Types of fields that several records have.
extension FieldType where Value == String {
  /// A phone number or an email address.
  package static var destination: FieldType {
    .text(
      .anyOf([
        .string(pattern: PhoneNumber.pattern),
        .string(pattern: EmailAddress.pattern, maxLength: EmailAddress.maxLength),
      ]), expected: "\(PhoneNumber.expected), or an email address",
      meant: { PhoneNumber.suggestion(for: $0, in: PhoneNumber.seededCountry)?.description },
      parse: { PhoneNumber($0) != nil || EmailAddress.isValid($0) ? $0 : nil }, format: { $0 })
  }

  /// Decimal digits.
  package static func digits(_ count: ClosedRange<Int>) -> FieldType {
    let (least, most) = (count.lowerBound, count.upperBound)
    return .text(
      .string(pattern: "^[0-9]{\(least == most ? "\(least)" : "\(least),\(most)")}$"),
      expected: least == most ? "\(least) digits" : "\(least) to \(most) digits"
    ) { count.contains($0.utf8.count) && $0.isDecimal }
  }

  /// ISO 3166-1 alpha-2.
  package static var countryCode: FieldType {
    .text(
      .string(pattern: "^[A-Z]{2}$"), expected: "two letters of ISO 3166-1 such as US",
      meant: { text in
        let code = text.uppercased() == "UK" ? "GB" : text.uppercased()
        return CountryCodes.all.contains(code) ? code : nil
      },
      parse: { CountryCodes.all.contains($0) ? $0 : nil }, format: { $0 })
  }

  package static var ipv4Address: FieldType {
    let byte = "(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])"
    return .text(.string(pattern: "^(\(byte)[.]){3}\(byte)$"), expected: "an IPv4 address such as 127.10.1.1")
    {
      let parts = $0.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4
        && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.isDecimal && UInt8($0) != nil }
    }
  }

  /// Eight groups, in the form of `IPAddress`: without an abbreviation, so that addresses compare as texts.
  package static var ipv6Address: FieldType {
    let group = "(0|[1-9a-f][0-9a-f]{0,3})"
    return .text(
      .string(pattern: "^(\(group):){7}\(group)$"),
      expected: "an IPv6 address of eight groups such as 2001:db8:0:0:0:0:0:1"
    ) {
      let groups = $0.split(separator: ":", omittingEmptySubsequences: false)
      return groups.count == 8
        && groups.allSatisfy { group in
          UInt16(group, radix: 16).map { String($0, radix: 16) == group } ?? false
        }
    }
  }

  /// A date of the calendar.
  package static var day: FieldType {
    .text(.string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), expected: "a day such as 2026-01-05") {
      $0.utf8.count == 10 && Timestamp(iso8601: $0 + "T00:00:00Z") != nil
    }
  }

  package static var emailAddress: FieldType {
    .text(
      .string(pattern: EmailAddress.pattern, maxLength: EmailAddress.maxLength), expected: "an email address",
      EmailAddress.isValid)
  }

  /// Keys of a telephone: digits, `*` and `#`.
  package static func keys(_ count: ClosedRange<Int>) -> FieldType {
    .text(
      .string(pattern: "^[0-9*#]*$", minLength: count.lowerBound, maxLength: count.upperBound),
      expected: "\(count.lowerBound) to \(count.upperBound) of 0 to 9, * and #"
    ) { count.contains($0.utf8.count) && Keys.isValid($0) }
  }
}

/// Not in the schema: the numbering plans are read when they are first needed.
private enum CountryCodes {
  static let all = PublicNumberingPlan.world.countryCodes
}

extension FieldType where Value == Int {
  /// An integer from 0 to a billion.
  package static var count: FieldType { .integer(0...1_000_000_000) }

  /// The random seed of a sandbox.
  package static var randomSeed: FieldType {
    FieldType(.integer(minimum: 0), expected: "an integer of at least 0") {
      $0.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
    } write: {
      $1.value($0)
    }
  }

  /// The number of a record in a sandbox: see `RecordKey`.
  package static var ordinal: FieldType { .integer(0...RecordKey.endOfOrdinals) }
  /// A position counted from 1, to a billion.
  package static var position: FieldType { .integer(1...1_000_000_000) }
}

extension FieldType where Value == Duration {
  /// Whole milliseconds, from 0 to a billion.
  package static var milliseconds: FieldType { milliseconds(0...1_000_000_000) }

  /// Whole milliseconds within bounds.
  package static func milliseconds(_ range: ClosedRange<Int>) -> FieldType {
    let count = FieldType<Int>.integer(range)
    return FieldType(count.schema, expected: count.expected) {
      guard let value = $0.wholeNumber, range.contains(value) else { return nil }
      return .milliseconds(value)
    } write: {
      $1.value(Int($0.milliseconds))
    }
  }

  /// `11m`, `601s`, `1h30m`.
  package static var duration: FieldType {
    .text(
      .string(pattern: "^([0-9]+(ms|s|m|h|d))+$"), expected: "a duration such as 11m, 601s or 1h30m",
      parse: { Duration(text: $0) }, format: { $0.text })
  }

  /// How long something unused is kept: `90m`, `2d`.
  package static var ttl: FieldType {
    .text(
      duration.schema, expected: "a duration from 1s to 3650d, such as 90m or 2d",
      parse: { Duration(text: $0).flatMap { Duration.ttlRange.contains($0) ? $0 : nil } }, format: { $0.text }
    )
  }
}

extension FieldType where Value == Timestamp {
  /// `2026-01-05T10:20:30Z`, with milliseconds where there are some.
  package static var timestamp: FieldType {
    .text(
      .string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$"),
      expected: "a time such as 2026-01-05T10:20:30Z", parse: { Timestamp(iso8601: $0) },
      format: { $0.iso8601Exact })
  }

  /// A time that a clock can be set to.
  package static var clockTime: FieldType {
    let range = SandboxClock.range
    return .text(
      timestamp.schema,
      expected: """
        a time such as 2026-01-05T10:20:30Z, from \(range.lowerBound.iso8601Exact) to \
        \(range.upperBound.iso8601Exact)
        """,
      parse: { Timestamp(iso8601: $0).flatMap { range.contains($0) ? $0 : nil } },
      format: { $0.iso8601Exact })
  }

  /// Any time of RFC 3339, with or without an offset.
  package static var rfc3339: FieldType {
    .text(
      .string(
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?"
          + "([Zz]|[+-][0-9]{2}:[0-9]{2})$"),
      expected: "a time of RFC 3339, such as 2026-01-05T10:20:30Z", parse: { Timestamp(rfc3339: $0) },
      format: { $0.iso8601Exact })
  }

  /// `2026-01-05T10:20:30.000Z`, always with milliseconds.
  package static var preciseTimestamp: FieldType {
    .text(
      .string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"),
      expected: "a time such as 2026-01-05T10:20:30.000Z", parse: { Timestamp(iso8601: $0) },
      format: { $0.iso8601Milliseconds })
  }
}

/// A time as people write it in a record: absolute, or counted back from the present time.
/// Source: `carrier.md` 4.2, relative dates.
package enum TimeReference: Equatable, Sendable {
  case at(Timestamp)
  case before(Duration)

  func resolved(at present: Timestamp) -> Timestamp {
    switch self {
    case .at(let time): time
    case .before(let span): present - span
    }
  }
}

extension FieldType where Value == TimeReference {
  /// `2026-01-05T10:20:30Z`, `2026-01-05` or `-3d`.
  package static var time: FieldType {
    .text(
      .string(
        pattern: "^(-([0-9]+(ms|s|m|h|d))+|"
          + "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z)?)$"),
      expected:
        "a time such as 2026-01-05T10:20:30Z, a day such as 2026-01-05, or a span back such as -3d",
      parse: parse
    ) { reference in
      switch reference {
      case .at(let time): time.iso8601Exact
      case .before(let span): "-\(span.text)"
      }
    }
  }

  private static func parse(_ text: String) -> TimeReference? {
    if text.utf8.first == UInt8(ascii: "-") {
      Duration(text: String(text.dropFirst())).map { .before($0) }
    } else {
      Timestamp(iso8601: text.utf8.count == 10 ? text + "T00:00:00Z" : text).map { .at($0) }
    }
  }
}

extension StringProtocol {
  /// True if every character is one of `0` to `9`.
  var isDecimal: Bool { utf8.allSatisfy { $0.isDigit } }
}
