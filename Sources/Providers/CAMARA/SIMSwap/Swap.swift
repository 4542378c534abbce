import ProviderKit

/// When a SIM card or a device has changed, as clients may know it. Source: contract 6.
struct Swap {
  /// Nil if it never changed.
  let time: Timestamp?
  let context: RequestContext

  /// Exactly so many hours ago counts.
  private func isWithin(hours: Int) -> Bool {
    time.map { context.now - $0 <= .seconds(hours * 3600) } ?? false
  }

  /// The answer of `check`.
  func response(within hours: Int) -> Response {
    context.response { $0.member("swapped", isWithin(hours: hours)) }
  }

  /// The answer of `retrieve-date`: the time, unless the operator may no longer keep it.
  func response(_ name: StaticString) -> Response {
    let period = context.settings.monitoredPeriod
    let isKept = period.map { isWithin(hours: $0 * 24) } ?? true
    return context.response { json in
      json.member(name, isKept ? time?.iso8601Milliseconds : nil)
      if !isKept, context.version.has("monitoredPeriod") { json.member("monitoredPeriod", period) }
    }
  }

  /// The member `maxAge`, in hours.
  static func maxAge(_ body: Fields, _ settings: Settings) throws -> Int {
    let limit = min(2400, settings.monitoredPeriod.map { $0 * 24 } ?? .max)
    if let hours = try body.optionalInt("maxAge"), hours < 1, settings.maxAgeBelowOne == .invalidArgument {
      throw body.mismatch("maxAge", expected: "a positive integer")
    }
    return try body.optionalInteger("maxAge", in: 1...limit) ?? min(240, limit)
  }
}
