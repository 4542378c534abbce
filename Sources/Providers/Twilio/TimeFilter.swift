import ProviderKit

/// The filters of a list by a time, such as `DateSent`, `DateSent<` and `DateSent>`. The last two include the
/// day or second that they name. Source: contract 16.2.
struct TimeFilter {
  private let span: Range<Timestamp>?
  private let end: Timestamp?
  private let start: Timestamp?

  static func names(_ name: String) -> [String] { [name, "\(name)<", "\(name)>"] }

  init(_ name: String, _ query: Form) throws(APIError) {
    span = try Self.span(name, query)
    end = try Self.span("\(name)<", query)?.upperBound
    start = try Self.span("\(name)>", query)?.lowerBound
  }

  var isEmpty: Bool { span == nil && end == nil && start == nil }

  /// True for all records if the query has no filter.
  func selects(_ time: Timestamp?) -> Bool {
    guard let time else { return isEmpty }
    return (span?.contains(time) ?? true) && time < end ?? .latest && time >= start ?? .earliest
  }

  /// The day of a date, or the second of a time.
  private static func span(_ name: String, _ query: Form) throws(APIError) -> Range<Timestamp>? {
    guard let text = query.text(name) else { return nil }
    if let day = Timestamp(iso8601: "\(text)T00:00:00Z") { return day..<day + .seconds(86_400) }
    guard let time = Timestamp(rfc3339: text) ?? Timestamp(rfc1123: text) else {
      throw .invalidParameter(name, expected: "a date such as 2026-01-05, or a time in ISO 8601")
    }
    // Clients send a date as its midnight.
    let isDay = time.iso8601.hasSuffix("T00:00:00Z")
    return time..<time + .seconds(isDay ? 86_400 : 1)
  }
}
