/// A run without a request to a provider, and what was seen instead.
struct UnreachedRun {
  let isIsolated: Bool
  /// To the control API and the pages.
  let ownRequests: Int
  let connections: Int

  /// For people: what was seen, and what to do.
  var text: String { [finding, advice].compactMap(\.self).joined(separator: " ") }

  private var finding: String {
    if ownRequests > 0 {
      return
        "No request to a provider reached the sandbox, only \(ownRequests.counted("request")) to its own API, "
        + "such as GET /livez."
    }
    return connections > 0
      ? "No request reached the sandbox, only \(connections.counted("connection")) without a request."
      : "No request reached the sandbox."
  }

  private var advice: String? {
    let doctor = "`ringfence doctor` shows what a client needs."
    guard isIsolated else { return "If your client ignores proxy settings, use --isolated. \(doctor)" }
    // A command that calls the server's own API has its address already.
    guard ownRequests == 0 else { return nil }
    return connections > 0 ? doctor : "The command used none of the providers' host names."
  }
}
