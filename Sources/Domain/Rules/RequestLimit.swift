import Basics
package import JSON

/// A rule about how many requests a second a provider accepts. It answers 429 to those beyond.
package struct RequestLimit: Rule {
  /// Nil: each provider has a limit of its own.
  package var provider: String?
  /// Nil: all routes of a provider count together.
  package var route: String?
  package var requestsPerSecond = 1

  package init() {}

  /// Acts on every match.
  package var occurrences: Occurrences { Occurrences() }

  package static let kind = "requestLimit"
  package static let noun = "request limit"
  package static let subject = "how many requests a second providers accept"
  package static let listName = "limits"
  package static let controlPath = "/control/limits"

  package static func rules(of sandbox: Sandbox) -> Rules<RequestLimit> { sandbox.requestLimits }

  package func validate(against names: [RouteNames], at path: String) throws(FieldError) {
    try names.validate(provider: provider, route: route, in: path)
  }

  package static func rulesChanged(from earlier: [RequestLimit], in sandbox: Sandbox) {
    sandbox.requestAllowances = [:]
  }

  package static let schema = Schema<RequestLimit>(
    "RequestLimit",
    "A rule about how many requests a second a provider accepts. Those beyond get its 429. Each counts for every "
      + "limit that it matches.",
    [
      .nullable(
        "provider", \.provider, .string, "Only requests to this provider. Without it, each has such a limit."),
      .nullable(
        "route", \.route, .string,
        "Only requests to the route of this name. Without it, all routes of a provider count together."),
      .required(
        "requestsPerSecond", \.requestsPerSecond, .integer(1...100_000),
        "The number of requests per second, on the sandbox's clock."),
    ] + ignoredCounts)
}

extension Rules<RequestLimit> {
  /// The first limit that a request exceeds; nil if there is none.
  package func exceeded(
    provider: String, route: String, isPreflight: Bool
  ) throws -> ActingRule<RequestLimit>? {
    let now = sandbox.clock.now
    var position = 0
    return try first { limit in
      position += 1
      guard limit.provider == nil || limit.provider == provider,
        limit.route.map({ $0 == route }) ?? !isPreflight
      else { return false }
      let (rate, key) = (limit.requestsPerSecond, "\(position) \(provider)")
      return !sandbox.requestAllowances[key, default: RequestAllowance(perSecond: rate, at: now)]
        .take(perSecond: rate, at: now)
    }
  }
}

/// How many requests may come now, of so many a second. After a quiet second, all of them may come at once.
struct RequestAllowance {
  /// Parts of requests: a request takes a thousand.
  private var parts: Int64
  private var time: Timestamp

  init(perSecond limit: Int, at time: Timestamp) {
    parts = Int64(limit) * 1000
    self.time = time
  }

  /// Returns false if there were too many.
  mutating func take(perSecond limit: Int, at now: Timestamp) -> Bool {
    refill(limit, now)
    guard parts >= 1000 else { return false }
    parts -= 1000
    return true
  }

  /// The requests that count now.
  mutating func used(perSecond limit: Int, at now: Timestamp) -> Int {
    refill(limit, now)
    return limit - Int(parts / 1000)
  }

  private mutating func refill(_ limit: Int, _ now: Timestamp) {
    let elapsed = min(max(0, (now - time).milliseconds), 1000)
    parts = min(Int64(limit) * 1000, parts + elapsed * Int64(limit))
    time = now
  }
}
