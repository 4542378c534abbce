import Domain
import HTTP
import JSON

/// Verifications, as far as a person decides over them beside their provider. Source: DESIGN 6.
extension ControlAPI {
  /// Calls off the newest verification that waits for a destination, with whichever provider; providers tell of it
  /// in their own words.
  func cancelVerification(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let destination = request[parameter: "destination"]
    guard let waiting = try waiting(for: destination, in: sandbox),
      let canceled = try sandbox.verifications.conclude(waiting, as: .canceled)
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
    return newest.filter { $0.isLive(at: now) }.max { $0.ordinal < $1.ordinal }
  }

  private static let reach = 20
}
