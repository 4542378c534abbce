import ProviderKit

/// The hits of one value: a count, and the start of the window in which they happened.
///
/// A window starts with its first hit. So a value needs one record, however many hits it has.
struct HitCount: Equatable, Sendable {
  private var key = ""
  private var startedAt = Timestamp.earliest
  private var hits = 0
  /// In seconds. Kept, so that old counts are recognized.
  private var interval = 1

  private static let table = RecordTable(
    "hits", of: TwilioProvider.name,
    Schema<HitCount>([
      .required("key", \.key, .string),
      .required("startedAt", \.startedAt, .timestamp),
      .required("hits", \.hits, .count),
      .required("interval", \.interval, .count),
    ])
  ) { HitCount() }

  private var end: Timestamp { startedAt + .seconds(interval) }

  private func isRunning(at time: Timestamp) -> Bool { startedAt <= time && time < end }

  /// When a hit would be accepted again, if the window is full now; nil if there is room.
  static func end(
    of value: String, in group: String, max: Int, _ sandbox: Sandbox
  ) throws -> Timestamp? {
    guard let count = try table.find(key(value, group), in: sandbox), count.isRunning(at: sandbox.clock.now),
      count.hits >= max
    else { return nil }
    return count.end
  }

  static func add(_ value: String, in group: String, interval: Int, _ sandbox: Sandbox) throws {
    let (now, key) = (sandbox.clock.now, key(value, group))
    if var count = try table.find(key, in: sandbox), count.isRunning(at: now) {
      count.hits += 1
      return try table.save(count, as: key, group: group, in: sandbox)
    }
    // Deleted first, so that the list is in the order of the windows' starts.
    try table.delete(key, in: sandbox)
    try deleteOldest(in: group, sandbox)
    var count = HitCount()
    (count.key, count.startedAt, count.hits, count.interval) = (key, now, 1, interval)
    try table.save(count, as: key, group: group, in: sandbox)
  }

  static func deleteAll(in group: String, _ sandbox: Sandbox) throws {
    try table.deleteGroup(group, in: sandbox)
  }

  /// Deletes up to two counts whose window has ended, or that are older than the sandbox's history. Each new
  /// window calls this, so there are never many.
  private static func deleteOldest(in group: String, _ sandbox: Sandbox) throws {
    let now = sandbox.clock.now
    for (position, count) in try table.list(group: group, limit: 2, in: sandbox)
    where !count.isRunning(at: now) || position < sandbox.firstKeptOrdinal {
      try table.delete(count.key, in: sandbox)
    }
  }

  private static func key(_ value: String, _ group: String) -> String { "\(group) \(value)" }
}
