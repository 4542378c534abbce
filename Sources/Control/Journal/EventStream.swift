package import Domain
import HTTP
import JSON

/// `GET /control/events/stream`: events and requests as they come, in the format of a browser's `EventSource`.
///
/// ```
/// id: 31.4                          id: 31.5                              id: 31.5
/// event: event                      event: request                        event: change
/// data: {"id":31,"kind":…}          data: {"id":"req_5","status":…}       data: {}
/// ```
/// A client that connects again sends the last id as `Last-Event-ID` and misses nothing that is still kept.
/// `change` reports that something else has changed, such as the clock; `reset`, that the sandbox was created anew.
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
    let follower = EventFollower(sandbox, in: sandboxes, after: start)
    return .streamed(
      Response(200, headers: ServerSentEvent.headers),
      ServerSentEvent.body(hasNews: { follower.hasNews }, follower.next))
  }
}

/// A position in both of a sandbox's logs: the last event and the last request that a client has seen.
package struct StreamPosition: Equatable, Sendable {
  var event = 0
  var request = 0

  static let expected = "the id of an event of this stream, such as 31.4"

  init() {}

  /// The position after everything there is now.
  package init(endOf sandbox: Sandbox) {
    event = sandbox.newestOrdinal
    request = sandbox.journal.lastOrdinal
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
    guard parts.count == 2, let event = parts.first ?? nil, let request = parts.last ?? nil else {
      return nil
    }
    self.event = event
    self.request = request
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.count <= 18 && digits.utf8.allSatisfy(\.isDigit) ? Int(digits, radix: 10) : nil
  }

  package var text: String { "\(event).\(request)" }
}

/// Reads what is new in a sandbox.
///
/// A class, because it remembers what it has read.
private final class EventFollower {
  private static let batchLimit = 100

  private let sandboxes: Sandboxes
  private var sandbox: Sandbox
  private var position: StreamPosition
  private var count: Int
  private var hasMore = true

  init(_ sandbox: Sandbox, in sandboxes: Sandboxes, after position: StreamPosition) {
    self.sandboxes = sandboxes
    self.sandbox = sandbox
    self.position = position
    count = sandbox.contentCount
  }

  var hasNews: Bool { hasMore || sandbox.contentCount != count || !sandboxes.contains(sandbox) }

  /// The next events; empty if there are none, nil after the sandbox was deleted.
  func next() throws -> [ServerSentEvent]? {
    guard let current = sandboxes[sandbox.name] else { return nil }
    guard current === sandbox else {
      (sandbox, position, count, hasMore) = (
        current, StreamPosition(endOf: current), current.contentCount, true
      )
      return [ServerSentEvent(id: position.text, name: "reset", data: "{}")]
    }
    let hasChanged = count != sandbox.contentCount
    count = sandbox.contentCount
    // After a restart the journal is empty, and a new database has fewer events.
    position.event = min(position.event, sandbox.newestOrdinal)
    if position.request > sandbox.journal.lastOrdinal { position.request = 0 }
    let events = try sandbox.events.after(position.event, limit: Self.batchLimit)
    let requests = sandbox.journal.exchanges(after: position.request, limit: Self.batchLimit)
    hasMore = max(events.count, requests.count) == Self.batchLimit
    if events.isEmpty, requests.isEmpty {
      return hasChanged ? [ServerSentEvent(id: position.text, name: "change", data: "{}")] : []
    }
    return merge(events[...], requests[...])
  }

  /// Both logs in the order of time. A request comes after the events that it caused.
  private func merge(
    _ events: ArraySlice<Event>, _ requests: ArraySlice<Journal.Exchange>
  ) -> [ServerSentEvent] {
    var (events, requests, merged) = (events, requests, [ServerSentEvent]())
    while !events.isEmpty || !requests.isEmpty {
      if let event = events.first, requests.first.map({ event.at <= $0.at }) ?? true {
        events = events.dropFirst()
        position.event = event.ordinal
        merged.append(.init(id: position.text, name: "event", data: ControlAPI.eventSchema.encode(event)))
      } else if let request = requests.popFirst() {
        position.request = request.ordinal
        merged.append(
          .init(id: position.text, name: "request", data: ControlAPI.requestSummarySchema.encode(request)))
      }
    }
    return merged
  }
}

extension ControlAPI {
  fileprivate static let requestSummarySchema = Schema<Journal.Exchange>(
    nil, "",
    [
      .readOnly("id", .string, "The id.") { $0.id },
      .readOnly("at", .preciseTimestamp, "When it was answered.") { $0.at },
      .readOnly("provider", .string, "The owner of the route.") { $0.owner.isEmpty ? nil : $0.owner },
      .readOnly("route", .string, "The route's name.") { $0.route },
      .readOnly("method", .string, "The method.") { $0.method },
      .readOnly("target", .string, "Path and query.") { Masking.target($0.target) },
      .readOnly("status", .integer, "The status.") { $0.status },
      .readOnly("why", .string, "For an error: the reason, in plain words.") { $0.why },
    ])
}

/// One event of a stream that a browser's `EventSource` reads. Source: the HTML standard, 9.2.
struct ServerSentEvent {
  let id: String
  let name: String
  /// One line.
  let data: [UInt8]

  init(id: String, name: String, data: [UInt8]) { (self.id, self.name, self.data) = (id, name, data) }

  init(id: String, name: String, data: String) { self.init(id: id, name: name, data: Array(data.utf8)) }

  /// `X-Accel-Buffering` makes nginx pass events on at once.
  static let headers: Headers = [
    "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
  ]

  /// A response's body that goes on. `next` returns an empty list for "nothing yet", and nil at the end.
  static func body(
    hasNews: @escaping () -> Bool, _ next: @escaping () throws -> [ServerSentEvent]?
  ) -> BodyPieces {
    BodyPieces(hasNews: hasNews, heartbeat: Array(":\n\n".utf8)) { try next()?.flatMap(\.bytes) }
  }

  private var bytes: [UInt8] {
    Array("id: \(id)\nevent: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
