import Basics
import Database

/// Limits the history of a sandbox: messages, events, webhooks, silent sessions, challenges, ended
/// verifications and devices.
package struct Retention: Equatable, Sendable {
  /// On the sandbox's clock.
  package var maxAge = Duration.seconds(7 * 86_400)
  /// The number of recent ordinals to keep. A verification with its message uses about five.
  package var maxOrdinals = 1_000_000
  /// How often rows are checked for their age, on the sandbox's clock.
  static let sweepInterval = Duration.seconds(3600)
  /// How many ordinals may exceed `maxOrdinals` before rows are deleted.
  static let slack = 512

  /// A sweep deletes the rows of so many ordinals in one step.
  static let ordinalsPerStep = 2_000

  package init() {}

  /// The first ordinal to keep, according to `maxOrdinals`.
  func firstKeptByCount(in sandbox: Sandbox) -> Int { sandbox.newestOrdinal - maxOrdinals }

  /// The first ordinal to keep, according to both limits: the one after the last row that is too old.
  ///
  /// Not the ordinal of the first recent row: what that row refers to got a lower ordinal shortly before.
  /// Each query reads one row from the start or the end of a table, so a sweep costs no more than what it
  /// deletes.
  private func firstKept(in sandbox: Sandbox, now: Timestamp) throws -> Int {
    let recent =
      try sandbox.database.first(
        """
        SELECT min(ordinal) FROM (
          SELECT * FROM (
            SELECT ordinal FROM events WHERE key > ?3 AND key < ?4 AND at >= ?2 ORDER BY key LIMIT 1)
          UNION ALL SELECT * FROM (
            SELECT ordinal FROM verifications WHERE key > ?3 AND key < ?4 AND created_at >= ?2 ORDER BY key LIMIT 1)
          UNION ALL SELECT * FROM (
            SELECT ordinal FROM messages WHERE key > ?3 AND key < ?4 AND submitted_at >= ?2 ORDER BY key LIMIT 1)
          UNION ALL SELECT * FROM (
            SELECT ordinal FROM webhooks WHERE sandbox = ?1 AND created_at >= ?2 ORDER BY ordinal LIMIT 1))
        """, sandbox.id, (now - maxAge).milliseconds, sandbox.key(0), sandbox.key(.max)
      ) { $0.optionalInt(0) } ?? nil
    let old =
      try sandbox.database.first(
        """
        SELECT max(ordinal) FROM (
          SELECT * FROM (
            SELECT ordinal FROM events WHERE key > ?3 AND key < ?4 ORDER BY key DESC LIMIT 1)
          UNION ALL SELECT * FROM (
            SELECT ordinal FROM verifications WHERE key > ?3 AND key < ?4 ORDER BY key DESC LIMIT 1)
          UNION ALL SELECT * FROM (
            SELECT ordinal FROM messages WHERE key > ?3 AND key < ?4 ORDER BY key DESC LIMIT 1)
          UNION ALL SELECT * FROM (
            SELECT ordinal FROM webhooks WHERE sandbox = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT 1))
        """, sandbox.id, recent ?? Int.max, sandbox.key(0), sandbox.key(recent ?? .max)
      ) { $0.optionalInt(0) } ?? nil
    return max((old ?? 0) + 1, firstKeptByCount(in: sandbox))
  }

  /// Deletes history beyond `maxOrdinals`.
  func deleteExcess(in sandbox: Sandbox) throws {
    let next = firstKeptByCount(in: sandbox)
    guard next > sandbox.historyStart + Self.slack else { return }
    try deleteHistory(before: next, in: sandbox, at: sandbox.clock.now)
  }

  /// Deletes some of the rows that are too old. The next sweep is due now if there are more.
  func sweep(_ sandbox: Sandbox, _ item: Agenda.Item, until time: Timestamp) throws {
    let end = try firstKept(in: sandbox, now: item.dueAt)
    // An earlier part of this sweep has deleted up to here. The first part begins with the first row: rows
    // that were in use at the last sweep may have ended.
    let start = try firstOrdinal(from: item.detail, in: sandbox) ?? end
    let partEnd = min(end, start + Self.ordinalsPerStep)
    sandbox.historyStart = min(start, end)
    try deleteHistory(before: partEnd, in: sandbox, at: item.dueAt)
    guard partEnd >= end else {
      return try sandbox.agenda.schedule(.sweepHistory, on: 0, detail: partEnd, at: item.dueAt)
    }
    // When the clock jumps over many sweeps, run only one more, at the target time.
    let next = item.dueAt + Self.sweepInterval
    try sandbox.agenda.schedule(.sweepHistory, on: 0, at: next < time ? time : next)
  }

  private func deleteHistory(before next: Int, in sandbox: Sandbox, at now: Timestamp) throws {
    guard next > sandbox.historyStart else { return }
    try deleteRows(sandbox.historyStart..<next, in: sandbox, at: now)
    sandbox.historyStart = next
  }

  /// The lowest ordinal of a row that a sweep may delete, from this one on; nil if there is none.
  private func firstOrdinal(from start: Int, in sandbox: Sandbox) throws -> Int? {
    let (first, end) = (sandbox.key(start), sandbox.key(.max))
    let byKey = try Self.firstOrdinalsByKey.compactMap { sql in
      try sandbox.database.first(sql, first, end) { $0.int(0) }
    }
    let others = try Self.firstOrdinals.compactMap { sql in
      try sandbox.database.first(sql, sandbox.id, start) { $0.int(0) }
    }
    return (byKey + others).min()
  }

  private static let firstOrdinalsByKey: [StaticString] = [
    "SELECT ordinal FROM messages WHERE key >= ? AND key < ? ORDER BY key LIMIT 1",
    "SELECT ordinal FROM events WHERE key >= ? AND key < ? ORDER BY key LIMIT 1",
    "SELECT ordinal FROM verifications WHERE key >= ? AND key < ? ORDER BY key LIMIT 1",
  ]

  private static let firstOrdinals: [StaticString] = [
    "SELECT ordinal FROM calls WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
    "SELECT ordinal FROM pushes WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
    "SELECT ordinal FROM push_attempts WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
    "SELECT ordinal FROM devices WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
    "SELECT ordinal FROM webhooks WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
    "SELECT verification FROM steps WHERE sandbox = ? AND verification >= ? ORDER BY verification LIMIT 1",
    "SELECT ordinal FROM silent_sessions WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
    "SELECT ordinal FROM challenges WHERE sandbox = ? AND ordinal >= ? ORDER BY ordinal LIMIT 1",
  ]

  /// Deletes rows in a range of ordinals, except for those still in use: pending or not expired.
  private func deleteRows(_ range: Range<Int>, in sandbox: Sandbox, at now: Timestamp) throws {
    let (first, end) = (sandbox.key(range.lowerBound), sandbox.key(range.upperBound))
    for sql in Self.deletionsByKey { try sandbox.database.run(sql, first, end) }
    for sql in Self.deletions {
      try sandbox.database.run(sql, sandbox.id, range.lowerBound, range.upperBound)
    }
    // A step is in use as long as its verification exists.
    try sandbox.database.run(
      """
      DELETE FROM steps WHERE sandbox = ? AND verification >= ? AND verification < ?
        AND NOT EXISTS (SELECT 1 FROM verifications WHERE key = ? + steps.verification)
      """, sandbox.id, range.lowerBound, range.upperBound, sandbox.key(0))
    sandbox.derived.verifications.removeAll(in: range)
    sandbox.derived.devices = DeviceCache()
    for sql in Self.deletionsAfterExpiry {
      try sandbox.database.run(sql, sandbox.id, range.lowerBound, range.upperBound, now.milliseconds)
    }
  }

  private static let deletionsByKey: [StaticString] = [
    "DELETE FROM messages WHERE key >= ? AND key < ?",
    "DELETE FROM events WHERE key >= ? AND key < ?",
    "DELETE FROM verifications WHERE key >= ? AND key < ? AND state <> 'pending'",
  ]

  private static let deletions: [StaticString] = [
    "DELETE FROM calls WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
    "DELETE FROM pushes WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
    "DELETE FROM push_attempts WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
    "DELETE FROM devices WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND ending IS NOT NULL",
    "DELETE FROM webhooks WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND state <> 'pending'",
  ]

  private static let deletionsAfterExpiry: [StaticString] = [
    "DELETE FROM silent_sessions WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND expires_at <= ?",
    "DELETE FROM challenges WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND expires_at <= ?",
  ]
}
