import Basics
import Database

/// Inboxes are emptied in parts: the first at once, the others as work that is due now. Until it is done,
/// requests to the sandbox wait, also after a crash, so nobody sees a part.
///
/// All their messages, also those on the way, get an arrival time that never comes. The messages and events
/// stay in the database.
extension Messages {
  /// A part has so many ordinals, or messages of one destination. It takes a few milliseconds.
  private static let ordinalsPerPart = 4_000
  private static let messagesPerPart = 500

  /// Empties the inbox of a destination, or all inboxes.
  package func clear(destination: String?) throws {
    let now = sandbox.clock.now
    if let destination {
      try clear(destination, before: .max, at: now)
    } else {
      try clearAll(after: 0, upTo: sandbox.newestOrdinal, at: now)
    }
  }

  /// Empties the next part of all inboxes.
  func clearInboxes(_ item: Agenda.Item) throws {
    try clearAll(after: item.detail, upTo: item.subject, at: item.dueAt)
  }

  /// Empties the next part of the inbox whose message the last part has ended with.
  func clearInbox(_ item: Agenda.Item) throws {
    guard let last = try find(item.subject) else { return }
    try clear(last.destination, before: last.ordinal, at: item.dueAt)
  }

  private func clearAll(after ordinal: Int, upTo end: Int, at time: Timestamp) throws {
    let first = try sandbox.database.first(
      "SELECT ordinal FROM messages WHERE key > ? AND key < ? ORDER BY key LIMIT 1", sandbox.key(ordinal),
      sandbox.key(.max)
    ) { $0.int(0) }
    guard let first, first <= end else { return }
    let last = min(first + Self.ordinalsPerPart, end)
    try sandbox.database.run(
      "UPDATE messages SET arrives_at = ?, arrival = NULL WHERE key >= ? AND key <= ?",
      Timestamp.latest.milliseconds, sandbox.key(first), sandbox.key(last))
    if last < end { try sandbox.agenda.schedule(.clearInboxes, on: end, detail: last, at: time) }
  }

  private func clear(_ destination: String, before ordinal: Int, at time: Timestamp) throws {
    var (count, last): (Int, Int?) = (0, nil)
    try sandbox.destinations.newestFirst(.message, of: destination, before: ordinal) { ordinal in
      guard count < Self.messagesPerPart else { return false }
      guard try find(ordinal)?.destination == destination else { return true }
      try sandbox.database.run(
        "UPDATE messages SET arrives_at = ?, arrival = NULL WHERE key = ?", Timestamp.latest.milliseconds,
        sandbox.key(ordinal))
      (count, last) = (count + 1, ordinal)
      return true
    }
    guard count == Self.messagesPerPart, let last else { return }
    try sandbox.agenda.schedule(.clearInbox, on: last, at: time)
  }
}
