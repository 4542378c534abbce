import Domain
import HTTP
import JSON

/// What happened in a sandbox, once each and in order.
extension ControlAPI {
  func listEvents(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    let after = try count("after", in: query, atMost: Int.max) ?? 0
    let timeout = try timeout(query)
    try query.requireAllRead()
    return try wait(timeout, request, sandbox) { sandbox in
      let events = try sandbox.events.after(after)
      return events.isEmpty ? nil : list(events, after: after)
    } onTimeout: { _ in
      list([], after: after)
    }
  }

  private func list(_ events: [Event], after: Int) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        json.array("events", events) { json, event in
          json.value {
            $0.member("id", event.ordinal)
            $0.member("at", event.at.iso8601Milliseconds)
            $0.member("kind", event.kind.rawValue)
            $0.member("provider", event.provider.isEmpty ? nil : event.provider)
            $0.member("to", event.destination)
          }
        }
        json.member("cursor", events.last?.ordinal ?? after)
      })
  }
}
