/// One event of a stream that a browser's `EventSource` reads. Source: the HTML standard, 9.2.
struct ServerSentEvent: Sendable {
  /// Nil leaves the client's position as it is.
  let id: String?
  let name: String
  /// One line.
  let data: [UInt8]

  init(id: String?, name: String, data: [UInt8]) { (self.id, self.name, self.data) = (id, name, data) }

  init(id: String?, name: String, data: String) { self.init(id: id, name: name, data: Array(data.utf8)) }

  /// The last event of a stream whose token was revoked.
  static let revoked = ServerSentEvent(id: nil, name: "end", data: #"{"why":"the token was revoked"}"#)

  /// `X-Accel-Buffering` makes nginx pass events on at once.
  static let headers: Headers = [
    "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
  ]

  /// A response's body that goes on. `next` returns the bytes of events, nothing for "nothing yet", and nil
  /// at the end.
  static func body(
    hasNews: @escaping () -> Bool, cost: @escaping () -> Int = { 1 }, _ next: @escaping () throws -> [UInt8]?
  ) -> BodyPieces {
    BodyPieces(hasNews: hasNews, heartbeat: Array(":\n\n".utf8), cost: cost, next)
  }

  var bytes: [UInt8] {
    Array("\(id.map { "id: \($0)\n" } ?? "")event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
