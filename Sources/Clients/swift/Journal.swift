extension Ringfence {
  /// The requests to a sandbox, with answers and the reasons of refusals.
  public struct Journal: Sendable {
    let sandbox: Sandbox

    /// The requests to a provider, to a route such as `createVerification`, with a status of the answer, with
    /// a text in path, query or body, or with one in the answer; oldest first.
    public func requests(
      provider: String? = nil, route: String? = nil, method: String? = nil, status: Int? = nil,
      contains: String? = nil, answerContains: String? = nil
    ) async throws -> [Exchange] {
      let query = query(provider, route, method, status, contains, answerContains)
      return try await sandbox.control.entries("/control/journal", query: query)
    }

    /// The newest request that matches; nil if there is none.
    public func latest(
      provider: String? = nil, route: String? = nil, method: String? = nil, status: Int? = nil,
      contains: String? = nil, answerContains: String? = nil
    ) async throws -> Exchange? {
      let query = query(provider, route, method, status, contains, answerContains)
      let newest: [Exchange] = try await sandbox.control.newest("/control/journal", limit: 1, query: query)
      return newest.first
    }

    /// The first request that matches, waiting for it, up to `within` seconds.
    public func wait(
      provider: String? = nil, route: String? = nil, method: String? = nil, status: Int? = nil,
      contains: String? = nil, answerContains: String? = nil, within: Double = 5
    ) async throws -> Exchange {
      let query = query(provider, route, method, status, contains, answerContains)
      let found = try await Control.within(within) { wait in
        let query = query.merging(["wait": wait, "limit": "1"]) { given, _ in given }
        return try await sandbox.control.send("GET", "/control/journal/wait", query: query, missing: [404])
      }
      if let page: Page<Exchange> = try found?.decoded(), let first = page.entries.first { return first }
      let wanted = query.compactMap { name, value in value.map { "\(name) \($0)" } }.sorted()
      let described = wanted.isEmpty ? "" : " with \(wanted.joined(separator: ", "))"
      throw try await Explanation(sandbox: sandbox).error(
        "no request\(described) came within \(plain(within)) s")
    }

    /// Forgets all requests.
    public func clear() async throws {
      try await sandbox.control.delete("/control/journal")
    }

    private func query(
      _ provider: String?, _ route: String?, _ method: String?, _ status: Int?, _ contains: String?,
      _ answerContains: String?
    ) -> [String: String?] {
      [
        "provider": provider, "route": route, "method": method, "status": status.map { "\($0)" },
        "contains": contains, "answerContains": answerContains,
      ]
    }
  }
}

/// Seconds without a needless fraction.
func plain(_ seconds: Double) -> String { Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)" }
