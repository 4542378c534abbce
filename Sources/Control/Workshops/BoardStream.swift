import Domain
import HTTP

/// `GET /control/workshops/{workshop}/stream`: an event `change` for each change of the board. Its id is the board's cursor.
extension ControlAPI {
  func streamBoard(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let workshops = sandboxes.workshops
    let name = try workshop(request).name
    // Another number than any id of this server, so that a client of an earlier one gets a change.
    var known =
      try request.headers["Last-Event-ID"].map { Int($0, radix: 10) ?? -1 }
      ?? Parameter.lastChange.value(in: request.query) ?? workshops.changeCount
    let body = ServerSentEvent.body(
      hasNews: { workshops.changeCount != known },
      {
        guard workshops.changeCount != known else { return [] }
        known = workshops.changeCount
        guard try workshops[name] != nil else { return nil }
        return ServerSentEvent(id: String(known), name: "change", data: "{}").bytes
      })
    return .streamed(Response(200, headers: ServerSentEvent.headers), body)
  }
}
