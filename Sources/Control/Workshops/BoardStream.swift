/// `GET /control/workshops/{workshop}/stream`: an event `change` for each change of the board. An event's id
/// is the board's cursor. The last one is the deletion of the workshop.
extension ControlAPI {
  func streamBoard(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    try BoardEvent.stream(to: request, of: workshop(request).name, sandboxes.workshops) { _, _ in .change }
  }
}

/// An event about the board of a workshop.
package struct BoardEvent: Sendable {
  let name: String
  /// One line.
  let data: [UInt8]

  package init(name: String, data: [UInt8]) { (self.name, self.data) = (name, data) }

  /// The board is another one: read it again.
  package static let change = BoardEvent(name: "change", data: Array("{}".utf8))

  /// A stream of what changes on a board. `event` returns what a client gets who knows the state at a cursor;
  /// nil for nothing. After the deletion of the workshop, the last event is `change`.
  package static func stream(
    to request: Request, of name: String, _ workshops: Workshops,
    _ event: @escaping (_ workshop: Workshop, _ known: Int) throws -> BoardEvent?
  ) throws -> Reply {
    // Another number than any id of this server, so that a client of an earlier one gets a change.
    var known =
      try request.headers["Last-Event-ID"].map { Int($0, radix: 10) ?? -1 }
      ?? Parameter.lastChange.value(in: request.query) ?? workshops.changeCount
    var isDeleted = false
    // A change makes us, or the client, read all participants. With 200, there are three a second at most.
    var cost = 1
    let body = ServerSentEvent.body(
      hasNews: { isDeleted || workshops.changeCount != known },
      cost: { cost },
      {
        guard !isDeleted else { return nil }
        guard workshops.changeCount != known else { return [] }
        let workshop = try workshops[name]
        isDeleted = workshop == nil
        let next = try workshop.map { try event($0, known) } ?? .change
        known = workshops.changeCount
        cost = 1
        if let workshop, next != nil { cost = try workshops.progress(of: workshop).participants / 2 }
        return next.map { ServerSentEvent(id: String(known), name: $0.name, data: $0.data).bytes } ?? []
      })
    return .streamed(Response(200, headers: ServerSentEvent.headers), body)
  }
}
