/// What happened in a sandbox, in the words of the control API.
struct Explanation {
  let sandbox: Sandbox

  /// An error that says what happened instead.
  func error(_ heading: String) async throws -> RingfenceError {
    RingfenceError("\(heading):\n\(try await text())", isExplained: true)
  }

  /// What was sent, what was refused and why.
  func text() async throws -> String {
    let happened = try await sandbox.control.get("/control/explanation").string ?? ""
    let end =
      sandbox.isTransient
      ? "for a page with all of it, set RINGFENCE_REPORT=DIR" : "console: \(sandbox.console)"
    return "\(happened)\n\(end)"
  }
}
