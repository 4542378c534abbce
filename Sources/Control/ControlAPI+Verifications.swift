import Domain
import HTTP
import JSON

/// Verifications as people see them who look on, or decide over them beside their provider.
/// Source: `prelude.md` 16.2.
extension ControlAPI {
  func listVerifications(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let (provider, number) = (query["provider"], query["number"])
    let after = try count("after", in: query, atMost: Int.max) ?? 0
    try query.requireAllRead()
    let found = try sandbox.verifications.all(of: provider, to: number, after: after, limit: Self.pageLimit)
    let entries = try found.map { try body(of: $0, in: sandbox) }
    return .json(
      200,
      JSONWriter.object { json in
        json.array("verifications", entries) { $0.value(encoded: $1) }
        json.member("cursor", found.last?.ordinal ?? after)
      })
  }

  /// Calls off the newest verification that waits for a destination, with whichever provider; providers tell of it
  /// in their own words.
  func cancelVerification(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let destination = request[parameter: "destination"]
    guard let waiting = try waiting(for: destination, in: sandbox),
      let canceled = try sandbox.verifications.finish(waiting, as: .canceled)
    else { throw ControlProblem.notFound("verification that waits for \(destination)") }
    return .json(
      200,
      JSONWriter.object { json in
        json.member("id", canceled.ordinal)
        json.member("provider", canceled.claim.provider)
        json.member("to", canceled.claim.destination)
        json.member("state", canceled.state.rawValue)
        json.member("at", canceled.updatedAt.iso8601Milliseconds)
      })
  }

  /// What waits is among the last few of its provider's.
  private func waiting(for destination: String, in sandbox: Sandbox) throws -> Verification? {
    let now = sandbox.clock.now
    let newest = try sandboxes.seeds.sections.flatMap { section in
      try sandbox.verifications.list(section.name, of: destination, before: .max, limit: Self.reach)
    }
    return newest.filter { $0.isPending(at: now) }.max { $0.ordinal < $1.ordinal }
  }

  private static let reach = 20
  /// How many entries a list shows at once.
  static let pageLimit = 200

  private func body(of verification: Verification, in sandbox: Sandbox) throws -> [UInt8] {
    let now = sandbox.clock.now
    var filter = Webhooks.Filter()
    filter.provider = verification.claim.provider
    filter.subject = verification.ordinal
    let webhooks = try sandbox.webhooks.all(filter)
    let sessions = try sandbox.silentSessions.all(of: verification.ordinal)
    let steps = try sandbox.fallbacks.steps(of: verification)
    let isOver = verification.state == .pending && !verification.isPending(at: now)
    return JSONWriter.object { json in
      json.member("id", verification.ordinal)
      json.member("provider", verification.claim.provider)
      json.member("owner", verification.claim.owner)
      json.member("to", verification.claim.destination)
      json.member("state", isOver ? Verification.State.expired.rawValue : verification.state.rawValue)
      json.member("code", verification.code)
      json.member("checks", verification.checks)
      json.member("createdAt", verification.createdAt.iso8601Milliseconds)
      json.member("updatedAt", verification.updatedAt.iso8601Milliseconds)
      json.member("expiresAt", verification.expiresAt.iso8601Milliseconds)
      json.array("attempts", verification.attempts.all) { json, attempt in
        json.value { write(attempt, to: &$0) }
      }
      json.array("steps", steps) { json, step in json.value { write(step, to: &$0) } }
      json.array("silentSessions", sessions) { json, session in json.value { write(session, to: &$0) } }
      json.member("webhooks", webhooks.map(\.id))
      json.member("details", encoded: Array(verification.details.utf8))
    }
  }

  private func write(_ attempt: Attempt, to json: inout JSONWriter) {
    json.member("number", attempt.number)
    json.member("channel", attempt.channel.rawValue)
    json.member("sentAt", attempt.sentAt.iso8601Milliseconds)
    json.member("code", attempt.code)
    json.member("isAnswered", attempt.isAnswered)
  }

  private func write(_ step: Step, to json: inout JSONWriter) {
    json.member("channel", step.channel.rawValue)
    json.member("state", step.state.rawValue)
    json.member("startedAt", step.startedAt?.iso8601Milliseconds)
    json.member("endsAt", step.endsAt?.iso8601Milliseconds)
    json.member("failure", step.failure?.rawValue)
  }

  private func write(_ session: SilentSession, to json: inout JSONWriter) {
    json.member("token", session.token)
    json.member("attempt", session.draft.attempt)
    json.member("createdAt", session.createdAt.iso8601Milliseconds)
    json.member("expiresAt", session.expiresAt.iso8601Milliseconds)
    json.member("openedAt", session.openedAt?.iso8601Milliseconds)
    json.member("verdict", session.verdict?.rawValue)
  }
}
