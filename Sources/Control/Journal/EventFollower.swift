/// The latest batches that streams have read. Streams of the same sandbox share them.
///
/// A class, because the streams share it.
final class EventBatches {
  fileprivate struct Batch {
    weak var sandbox: Sandbox?
    /// The `contentCount` when it was read.
    let count: Int
    let from: StreamPosition
    var to: StreamPosition
    /// The events as they are sent.
    var bytes: [UInt8] = []
    var hasMore = false
  }

  /// As many as a stream may read in a row, or several sandboxes at the same time.
  private static let limit = 4
  private var recent: [Batch] = []

  fileprivate func batch(of sandbox: Sandbox, at count: Int, after position: StreamPosition) -> Batch? {
    recent.last { $0.sandbox === sandbox && $0.count == count && $0.from == position }
  }

  fileprivate func keep(_ batch: Batch) {
    recent = Array((recent + [batch]).suffix(Self.limit))
  }
}

/// Reads what is new in a sandbox.
///
/// A class, because it remembers what it has read.
final class EventFollower {
  private static let batchLimit = 100

  private let sandboxes: Sandboxes
  private let batches: EventBatches
  private var sandbox: Sandbox
  private var position: StreamPosition
  private var count: Int
  private var hasMore = true

  init(
    _ sandbox: Sandbox, in sandboxes: Sandboxes, after position: StreamPosition, sharing batches: EventBatches
  ) {
    self.sandboxes = sandboxes
    self.batches = batches
    self.sandbox = sandbox
    self.position = position
    count = sandbox.contentCount
  }

  var hasNews: Bool { hasMore || sandbox.contentCount != count || !sandboxes.contains(sandbox) }

  /// The next events as they are sent; empty if there are none, nil after the sandbox was deleted.
  func next() throws -> [UInt8]? {
    guard let current = sandboxes[sandbox.name] else { return nil }
    guard current === sandbox else {
      (sandbox, position, count, hasMore) = (
        current, StreamPosition(endOf: current), current.contentCount, true
      )
      return ServerSentEvent(id: position.text, name: "reset", data: "{}").bytes
    }
    guard hasNews else { return [] }
    count = sandbox.contentCount
    // After a restart the journal is empty, and a new database has fewer events.
    position.event = min(position.event, sandbox.newestOrdinal)
    if position.request > sandbox.journal.lastOrdinal { position.request = 0 }
    let known = position.changes
    position.changes = sandbox.quietChanges
    var change: [UInt8] = []
    if let known, known != position.changes {
      change = ServerSentEvent(id: position.text, name: "change", data: "{}").bytes
    }
    let batch = try batch()
    (position, hasMore) = (batch.to, batch.hasMore)
    return change.isEmpty ? batch.bytes : change + batch.bytes
  }

  private func batch() throws -> EventBatches.Batch {
    if let known = batches.batch(of: sandbox, at: count, after: position) { return known }
    let events = try sandbox.events.after(position.event, limit: Self.batchLimit)
    let requests = sandbox.journal.exchanges(after: position.request, limit: Self.batchLimit)
    var batch = EventBatches.Batch(sandbox: sandbox, count: count, from: position, to: position)
    batch.hasMore = max(events.count, requests.count) == Self.batchLimit
    batch.append(events[...], requests[...])
    batches.keep(batch)
    return batch
  }
}

extension EventBatches.Batch {
  /// Adds both logs in the order of time. A request comes after the events that it caused.
  fileprivate mutating func append(_ events: ArraySlice<Event>, _ requests: ArraySlice<Journal.Exchange>) {
    var (left, requests) = (events, requests)
    while !left.isEmpty || !requests.isEmpty {
      if let event = left.first, requests.first.map({ event.at <= $0.at }) ?? true {
        left = left.dropFirst()
        to.event = event.ordinal
        append("event", ControlAPI.eventSchema.encode(event))
      } else if let request = requests.popFirst() {
        to.request = request.ordinal
        append("request", ControlAPI.requestSummarySchema.encode(request))
      }
    }
  }

  private mutating func append(_ name: String, _ data: [UInt8]) {
    bytes += ServerSentEvent(id: to.text, name: name, data: data).bytes
  }
}

extension ControlAPI {
  fileprivate static let requestSummarySchema = Schema<Journal.Exchange>([
    .readOnly("id", .string) { $0.id },
    .readOnly("at", .preciseTimestamp) { $0.at },
    .readOnly("provider", .string) { $0.owner.isEmpty ? nil : $0.owner },
    .readOnly("route", .string) { $0.route },
    .readOnly("method", .string) { $0.method },
    .readOnly("target", .string) { Masking.common.target($0.target) },
    .readOnly("status", .integer) { $0.status },
    .readOnly("why", .string) { $0.why },
  ])
}
