import Domain
import HTTP

/// Counts of requests, for `/metrics`.
///
/// A class because every answer adds to it.
package final class Metrics {
  /// What requests are counted by: whose they were, and what answered with which status.
  private struct Key: Hashable {
    let owner: ObjectIdentifier?
    let route: ObjectIdentifier?
    let status: Int
  }

  /// How many there were, under the names that the key stands for.
  private struct Count {
    let owner: String
    let route: String
    let status: Int
    var requests = 0
  }

  private var counts: [Key: Count] = [:]

  /// Nothing counted yet.
  package init() {}

  func count(_ owner: RouteOwner<Sandbox>?, _ route: Route<Sandbox>?, status: Status) {
    let key = Key(
      owner: owner.map(ObjectIdentifier.init), route: route.map(ObjectIdentifier.init), status: status.code)
    let none = Count(owner: owner?.name ?? "", route: route?.name ?? "", status: status.code)
    counts[key, default: none].requests += 1
  }

  /// The counts in Prometheus' text format.
  func text(sandboxes: Int) -> String {
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
    text += """
      # HELP ringfence_sandboxes Sandboxes in this process.
      # TYPE ringfence_sandboxes gauge
      ringfence_sandboxes \(sandboxes)

      """
    return text
  }
}
