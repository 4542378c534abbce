/// `GET /control/events/stream`: events and requests as they come, in the format of a browser's
/// `EventSource`.
///
/// ```
/// id: 31.4.7                        id: 31.5.7                            id: 31.5.8
/// event: event                      event: request                        event: change
/// data: {"id":31,"kind":…}          data: {"id":"req_5","status":…}       data: {}
/// ```
/// A client that connects again sends the last id as `Last-Event-ID` and misses nothing that is still kept.
/// `change` reports changes without an event, such as that of the clock: one for all that were made
/// meanwhile. `reset` reports that the sandbox was created anew. `end`, that the stream's token was revoked.
extension ControlAPI {
  func streamEvents(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    var position = try Parameter.afterEvent.value(in: request.query)
    if let last = request.headers["Last-Event-ID"] {
      guard let resumed = StreamPosition(last) else {
        throw FormError(field: "Last-Event-ID", expected: StreamPosition.expected)
      }
      position = resumed
    }
    let start = position ?? StreamPosition(endOf: sandbox)
    let follower = EventFollower(sandbox, in: sandboxes, after: start, sharing: batches)
    return .streamed(
      Response(200, headers: ServerSentEvent.headers),
      ServerSentEvent.body(hasNews: { follower.hasNews }, follower.next))
  }
}
