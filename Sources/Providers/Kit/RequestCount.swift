/// How many requests there were in a second of the sandbox's clock.
package struct RequestCount: Equatable, Sendable {
  /// Since 1970.
  private var second = 0
  private var count = 0

  private static let schema = Schema<RequestCount>([
    .required("second", \.second, .integer),
    .required("count", \.count, .count),
  ])

  /// Counts a request to what `key` names, such as a client. Returns false, and counts nothing, if there are
  /// `limit` in the present second; 0: unlimited.
  package static func add(
    _ key: String, of provider: String, limit: Int, in sandbox: Sandbox
  ) throws -> Bool {
    guard limit > 0 else { return true }
    let table = RecordTable("rate limit", of: provider, schema) { RequestCount() }
    let now = sandbox.clock.now.unixSeconds
    var requests = try table.find(key, in: sandbox) ?? RequestCount()
    if requests.second != now { requests = RequestCount(second: now, count: 0) }
    guard requests.count < limit else { return false }
    requests.count += 1
    try table.save(requests, as: key, in: sandbox)
    return true
  }
}
