import Domain
import HTTP

/// `GET /control/workshops/{workshop}/stream`: an event `change` for each change of the board. Its id is the
/// board's cursor. The last one is the deletion of the workshop.
extension ControlAPI {
  func streamBoard(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let workshops = sandboxes.workshops
    let name = try workshop(request).name
    // Another number than any id of this server, so that a client of an earlier one gets a change.
    var known =
      try request.headers["Last-Event-ID"].map { Int($0, radix: 10) ?? -1 }
      ?? Parameter.lastChange.value(in: request.query) ?? workshops.changeCount
    var isDeleted = false
    let body = ServerSentEvent.body(
      hasNews: { isDeleted || workshops.changeCount != known },
      {
        guard !isDeleted else { return nil }
        guard workshops.changeCount != known else { return [] }
        known = workshops.changeCount
        isDeleted = try workshops[name] == nil
        return ServerSentEvent(id: String(known), name: "change", data: "{}").bytes
      })
    return .streamed(Response(200, headers: ServerSentEvent.headers), body)
  }
}
