import Basics
package import JSON

/// A rule about how long a provider takes to answer: a log-normal distribution with a median and a 99th
/// percentile.
package struct Latency: Rule {
  // What a request must have; nil matches all.
  package var provider: String?
  package var route: String?

  package var median = Duration.milliseconds(1)
  /// Nil: every answer takes the median.
  package var percentile99: Duration?

  package init() {}

  /// Acts on every match.
  package var occurrences: Occurrences { Occurrences() }

  package static let kind = "latency"
  package static let noun = "latency rule"
  package static let subject = "how long providers take to answer"
  package static let listName = "latency"
  package static let controlPath = "/control/latency"

  package static func rules(of sandbox: Sandbox) -> Rules<Latency> { sandbox.latency }

  package func validate(against names: [RouteNames], at path: String) throws(FieldError) {
    try names.validate(provider: provider, route: route, in: path)
  }

  private static let limit = 3_600_000

  package static let schema = Schema<Latency>(
    "Latency",
    "A rule about how long answers take, in real time. Of the matching rules, the first one wins.",
    [
      .nullable("provider", \.provider, .string, "Only requests to this provider."),
      .nullable(
        "route", \.route, .string, "Only requests to the route of this name, such as createVerification."),
      .required(
        "medianMs", \.median, .milliseconds(1...limit), "Half of the answers take longer, up to an hour."),
      .nullable(
        "p99Ms", \.percentile99, .milliseconds(1...limit),
        "One answer of a hundred takes longer. Without it, all take medianMs."),
    ] + ignoredCounts
  ) { input, latency throws(FieldError) in
    if let percentile99 = latency.percentile99, percentile99 < latency.median {
      throw input.mismatch("p99Ms", expected: "medianMs or more")
    }
  }

  /// The time of one answer, chosen by twelve random numbers from 0 up to 1.
  ///
  /// Their sum is nearly normal with the variance 1. There are only products and square roots, so the result
  /// is the same on every machine.
  func time(of numbers: [Double]) -> Duration {
    guard let percentile99 else { return median }
    let deviation = numbers.reduce(-Double(numbers.count) / 2, +) / Self.deviationOfPercentile99
    let ratio = Double(percentile99.milliseconds) / Double(median.milliseconds)
    let milliseconds = Double(median.milliseconds) * Self.power(ratio, deviation)
    return .milliseconds(Int(min(milliseconds.rounded(), Double(Self.limit))))
  }

  /// How many numbers `time` takes.
  static let numbers = 12
  /// The 99th percentile of the sum of twelve such numbers, from its mean.
  private static let deviationOfPercentile99 = 2.303

  /// `base` to the power of `exponent`: a square root for each binary digit of the exponent's fraction.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent >= 0 else { return 1 / power(base, -exponent) }
    let whole = exponent.rounded(.down)
    var (result, root, rest) = (1.0, base, exponent - whole)
    for _ in 0..<Int(whole) { result *= base }
    for _ in 0..<32 where rest > 0 {
      root = root.squareRoot()
      rest *= 2
      if rest >= 1 { (result, rest) = (result * root, rest - 1) }
    }
    return result
  }
}

extension Rules<Latency> {
  /// How long the answer to a request takes; nil: no rule says it.
  package func time(provider: String, route: String) throws -> Duration? {
    let acting = try first { rule in
      (rule.provider == nil || rule.provider == provider) && (rule.route == nil || rule.route == route)
    }
    guard let acting else { return nil }
    let answer = try all[acting.number - 1].counts.applied
    let numbers = (0..<Latency.numbers).map {
      sandbox.entropy.chance("latency \(acting.number)", answer * Latency.numbers + $0)
    }
    return acting.rule.time(of: numbers)
  }
}
