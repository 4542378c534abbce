/// Counts of requests, for `/metrics`.
///
/// A class because every answer adds to it.
package final class Metrics {
  /// What requests are counted by.
  struct Key: Hashable {
    let owner: String
    let route: String
    let status: Int
  }

  private(set) var requests: [Key: Int] = [:]

  /// Nothing counted yet.
  package init() {}

  func count(owner: String, route: String, status: Int) {
    requests[Key(owner: owner, route: route, status: status), default: 0] += 1
  }

  /// The counts in Prometheus' text format.
  func text(sandboxes: Int) -> String {
    var text = """
      # HELP ringfence_requests_total Requests answered.
      # TYPE ringfence_requests_total counter

      """
    let sorted = requests.sorted {
      ($0.key.owner, $0.key.route, $0.key.status) < ($1.key.owner, $1.key.route, $1.key.status)
    }
    for (key, count) in sorted {
      text += "ringfence_requests_total{"
      text += "owner=\"\(key.owner)\",route=\"\(key.route)\",status=\"\(key.status)\"} \(count)\n"
    }
    text += """
      # HELP ringfence_sandboxes Sandboxes in this process.
      # TYPE ringfence_sandboxes gauge
      ringfence_sandboxes \(sandboxes)

      """
    return text
  }
}
