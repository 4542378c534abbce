import Domain
import HTTP

/// Counts of requests, for `/metrics`.
///
/// A class because every answer adds to it.
package final class Metrics {
  private struct Key: Hashable {
    let owner: ObjectIdentifier?
    let route: ObjectIdentifier?
    let status: Int
  }

  private struct Count {
    let owner: String
    let route: String
    let status: Int
    var requests = 0
  }

  private var counts: [Key: Count] = [:]
  private var refusals: [LimitExceeded.Limit: Int] = [:]
  /// The longest turn of the event loop.
  package var longestTurn = Duration.zero

  package init() {}

  func count(_ owner: RouteOwner<Sandbox>?, _ route: Route<Sandbox>?, status: Status) {
    let key = Key(
      owner: owner.map(ObjectIdentifier.init), route: route.map(ObjectIdentifier.init), status: status.code)
    // Made for the first request only.
    counts[key, default: Count(owner: owner?.name ?? "", route: route?.name ?? "", status: status.code)]
      .requests += 1
  }

  func countRefusal(by limit: LimitExceeded.Limit) { refusals[limit, default: 0] += 1 }

  /// The counts in Prometheus' text format.
  func text(_ sandboxes: Sandboxes) -> String {
    var text = """
      # HELP ringfence_requests_total Requests answered.
      # TYPE ringfence_requests_total counter

      """
    let sorted = counts.values.sorted {
      ($0.owner, $0.route, $0.status) < ($1.owner, $1.route, $1.status)
    }
    for count in sorted {
      text += "ringfence_requests_total{owner=\"\(count.owner)\",route=\"\(count.route)\","
      text += "status=\"\(count.status)\"} \(count.requests)\n"
    }
    let (seconds, attoseconds) = longestTurn.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000 + 1_000).dropFirst()
    text += """
      # HELP ringfence_longest_turn_seconds The longest turn of the event loop. No request is answered meanwhile.
      # TYPE ringfence_longest_turn_seconds gauge
      ringfence_longest_turn_seconds \(seconds).\(thousandths)
      # HELP ringfence_sandboxes Sandboxes in this process.
      # TYPE ringfence_sandboxes gauge
      ringfence_sandboxes \(sandboxes.count)
      # HELP ringfence_sandboxes_limit The most sandboxes (--max-sandboxes).
      # TYPE ringfence_sandboxes_limit gauge
      ringfence_sandboxes_limit \(sandboxes.maxCount)
      # HELP ringfence_sandboxes_removed_total Sandboxes that were removed because nobody used them (ttl).
      # TYPE ringfence_sandboxes_removed_total counter
      ringfence_sandboxes_removed_total \(sandboxes.removedCount)
      # HELP ringfence_limited_requests_total Requests refused because of a limit of their sandbox.
      # TYPE ringfence_limited_requests_total counter

      """
    for limit in LimitExceeded.Limit.allCases {
      text += "ringfence_limited_requests_total{limit=\"\(limit.rawValue)\"} \(refusals[limit] ?? 0)\n"
    }
    return text
  }
}

/// The health of the process.
extension ControlAPI {
  func live(_ request: Request, _ sandbox: Sandbox) -> Response { .text(200, "ok\n") }

  /// Queries the database, so that an unreadable sandbox is not ready.
  func ready(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    _ = try sandbox.events.after(Int.max)
    return .text(200, "ok\n")
  }

  func prometheus(_ request: Request, _ sandbox: Sandbox) -> Response {
    Response(
      200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
      body: Array(metrics.text(sandboxes).utf8))
  }
}
