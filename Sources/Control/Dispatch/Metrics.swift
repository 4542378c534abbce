/// Counts for `/metrics`.
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
    var isOwn = false
    var requests = 0
  }

  private struct Attempt: Hashable {
    let owner: String
    let result: String
  }

  private var counts: [Key: Count] = [:]
  /// By the sandbox's name.
  private var shares: [String: [Key: Count]] = [:]
  private var attempts: [Attempt: Int] = [:]
  private var refusals: [LimitExceeded.Limit: Int] = [:]
  /// The longest turn of the event loop.
  package var longestTurn = Duration.zero
  /// Lines of the access log that were dropped.
  package var droppedLines = 0
  /// The time of the data that the newest backup has; nil if no backup was made since the start.
  package var backedUpAt: Timestamp?
  package var failedBackups = 0
  /// Transactions that the database refused, such as on a full disk. All their requests were answered with an
  /// error.
  package var failedCommits = 0

  /// More sandboxes are counted together, so that their number does not make the answer long.
  private static let maxSandboxes = 100
  /// No sandbox can have this name.
  private static let others = "(others)"

  package init() {}

  func count(_ owner: RouteOwner<Sandbox>?, _ route: Route<Sandbox>?, status: Status, of sandbox: Sandbox) {
    let isOwn = owner?.isOwn ?? false
    let owner = owner.map { (id: ObjectIdentifier($0), name: $0.name) }
    let key = Key(owner: owner?.id, route: route.map(ObjectIdentifier.init), status: status.code)
    // Made for the first request only.
    counts[
      key,
      default: Count(owner: owner?.name ?? "", route: route?.name ?? "", status: status.code, isOwn: isOwn)
    ].requests += 1
    let hundreds = status.code / 100
    let share = Key(owner: owner?.id, route: nil, status: hundreds)
    let hasShare = shares.count < Self.maxSandboxes || shares[sandbox.name] != nil
    shares[hasShare ? sandbox.name : Self.others, default: [:]][
      share, default: Count(owner: owner?.name ?? "", route: "", status: hundreds)
    ].requests += 1
  }

  /// Requests to the control API and the pages, which no journal has.
  package var ownRequestCount: Int { counts.values.reduce(0) { $0 + ($1.isOwn ? $1.requests : 0) } }

  func countRefusal(by limit: LimitExceeded.Limit) { refusals[limit, default: 0] += 1 }

  package func count(_ result: WebhookAttempt.Result, of provider: String) {
    let word =
      switch result {
      case .answered(let answer): "\(answer.status / 100)xx"
      case .unanswered, .unreachable: "unanswered"
      case .refused: "refused"
      }
    attempts[Attempt(owner: provider, result: word), default: 0] += 1
  }

  /// Counts those of removed sandboxes together with others, so that new ones have room.
  private func foldRemoved(_ sandboxes: Sandboxes) {
    for (name, share) in shares where name != Self.others && sandboxes[name] == nil {
      shares[name] = nil
      shares[Self.others, default: [:]].merge(share) { one, other in
        var sum = one
        sum.requests += other.requests
        return sum
      }
    }
  }

  /// Everything in Prometheus' text format.
  func text(_ sandboxes: Sandboxes) -> String {
    foldRemoved(sandboxes)
    var text = MetricsText()
    text.begin("requests_total", .counter, "Requests answered.")
    let sorted = counts.values.sorted {
      ($0.owner, $0.route, $0.status) < ($1.owner, $1.route, $1.status)
    }
    for count in sorted {
      text.sample(
        count.requests, ("owner", count.owner), ("route", count.route), ("status", "\(count.status)"))
    }
    text.begin("sandbox_requests_total", .counter, "The same by sandbox, for the first \(Self.maxSandboxes).")
    for (name, share) in shares.sorted(by: { $0.key < $1.key }) {
      for count in share.values.sorted(by: { ($0.owner, $0.status) < ($1.owner, $1.status) }) {
        text.sample(
          count.requests, ("sandbox", name), ("owner", count.owner), ("status", "\(count.status)xx"))
      }
    }
    text.begin("webhook_attempts_total", .counter, "Attempts to deliver a webhook.")
    let ordered = attempts.sorted { ($0.key.owner, $0.key.result) < ($1.key.owner, $1.key.result) }
    for (attempt, count) in ordered {
      text.sample(count, ("owner", attempt.owner), ("result", attempt.result))
    }
    text.begin(
      "longest_turn_seconds", .gauge, "The longest turn of the event loop. No request is answered meanwhile.")
    text.sample(seconds: longestTurn)
    text.begin("sandboxes", .gauge, "Sandboxes in this process.")
    text.sample(sandboxes.count)
    text.begin("sandboxes_limit", .gauge, "The most sandboxes (--max-sandboxes).")
    text.sample(sandboxes.maxCount)
    text.begin(
      "sandboxes_removed_total", .counter, "Sandboxes that were removed because nobody used them (ttl).")
    text.sample(sandboxes.removedCount)
    text.begin("limited_requests_total", .counter, "Requests refused because of a limit of their sandbox.")
    for limit in LimitExceeded.Limit.allCases { text.sample(refusals[limit] ?? 0, ("limit", limit.rawValue)) }
    text.begin(
      "access_log_dropped_lines_total", .counter, "Lines of the access log that could not be written.")
    text.sample(droppedLines)
    text.begin(
      "backup_timestamp_seconds", .gauge,
      "The time of the data in the newest backup of this process (--backup).")
    if let backedUpAt { text.sample(seconds: .milliseconds(backedUpAt.milliseconds)) }
    text.begin("backup_failures_total", .counter, "Backups that could not be made.")
    text.sample(failedBackups)
    text.begin("commit_failures_total", .counter, "Transactions that could not be committed.")
    text.sample(failedCommits)
    return text.text
  }
}

/// Writes metrics in Prometheus' text format.
private struct MetricsText {
  enum Kind: String { case counter, gauge }

  private(set) var text = ""
  private var name = ""

  /// Starts a metric. Its samples follow.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    self.name = "ringfence_\(name)"
    text += "# HELP \(self.name) \(help)\n# TYPE \(self.name) \(kind.rawValue)\n"
  }

  /// No value of a label has a quote or a backslash.
  mutating func sample(_ value: Int, _ labels: (name: String, value: String)...) {
    let pairs = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
  }

  mutating func sample(seconds value: Duration) {
    let (seconds, attoseconds) = value.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000 + 1_000).dropFirst()
    text += "\(name) \(seconds).\(thousandths)\n"
  }
}

/// The health of the process.
extension ControlAPI {
  /// Queries the database, so that a server that cannot read it is not ready.
  func ready(_ request: Request) throws -> Response {
    try sandboxes.requireReadable()
    return .text(200, "ok\n")
  }

  func prometheus(_ request: Request, _ sandbox: Sandbox) -> Response {
    Response(
      200, headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
      body: Array(metrics.text(sandboxes).utf8))
  }
}
