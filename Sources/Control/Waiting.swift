/// Requests that wait for an answer.
extension ControlAPI {
  /// Answers at once when there is an answer or `timeout` is zero; otherwise when there is one, or at the
  /// timeout.
  ///
  /// Each time the sandbox is looked up by its name, because it may be reset meanwhile. `answer` is not
  /// called again before `signal` has changed: by default anything in the sandbox, so waiting requests cost
  /// other sandboxes nothing.
  func wait(
    _ timeout: Duration, _ sandbox: Sandbox, signal: @escaping (Sandbox) -> Int = { $0.changeCount },
    answer: @escaping (Sandbox) throws -> Reply?,
    onTimeout: @escaping (Sandbox) throws -> Response
  ) throws -> Reply {
    if let reply = try answer(sandbox) { return reply }
    guard timeout > .zero else { return .now(try onTimeout(sandbox)) }
    let name = sandbox.name
    var (checked, changes) = (sandbox, signal(sandbox))
    return .pending(
      PendingReply(within: timeout) {
        guard let current = sandboxes[name] else { return nil }
        let now = signal(current)
        guard current !== checked || now != changes else { return nil }
        (checked, changes) = (current, now)
        return try answer(current)
      } onTimeout: {
        do {
          return try onTimeout(sandboxes[name] ?? sandbox)
        } catch let problem as any ResponseError {
          return problem.response
        }
      })
  }

  /// Answers at the end of a job; with the job's error if it fails.
  func reply(after job: Job, _ answer: @escaping () throws -> Response) -> Reply {
    reply(after: job, reply: { .now(try answer()) })
  }

  /// The same for an answer in pieces.
  package func reply(after job: Job, reply: @escaping () throws -> Reply) -> Reply {
    .pending(
      PendingReply(within: Self.longestJob) {
        try job.isFinished ? reply() : nil
      } onTimeout: {
        ControlProblem(503, "the server has not finished this yet; it continues").response
      })
  }

  private static let longestJob = Duration.seconds(300)

  /// The time that a query wants to wait.
  func timeout(_ query: Form) throws(FormError) -> Duration {
    .seconds(try Parameter.wait.value(in: query) ?? 0)
  }
}
