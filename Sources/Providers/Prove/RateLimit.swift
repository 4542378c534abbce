import Domain
import JSON
import ProviderKit

/// How many requests a client has made in a second of the sandbox's clock. Source: contract 3.2.
struct RateLimit: Equatable, Sendable {
  /// Since 1970.
  var second = 0
  var count = 0

  /// Counts a request; throws 429 if there are too many in the present second.
  static func count(_ client: Client, _ settings: Settings, in sandbox: Sandbox) throws {
    let limit = settings.rateLimit
    guard limit > 0 else { return }
    let now = sandbox.clock.now.unixSeconds
    var window = try table.find(client.id, in: sandbox) ?? RateLimit()
    if window.second != now { window = RateLimit(second: now) }
    guard window.count < limit else {
      throw APIError.tooManyRequests(retryAfter: 1)
        .because("more than \(limit) requests of client \(client.id) in a second (setting rateLimit)")
    }
    window.count += 1
    try table.save(window, as: client.id, in: sandbox)
  }

  private static let table = RecordTable(
    "rate limit", of: ProveProvider.name,
    Schema<RateLimit>([
      .required("second", \.second, .integer),
      .required("count", \.count, .count),
    ])
  ) { RateLimit() }
}
