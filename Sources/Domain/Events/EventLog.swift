package import Basics
import Database

/// The events of a sandbox, in order.
package struct EventLog {
  let sandbox: Sandbox

  /// The events with a higher ordinal, oldest first.
  ///
  /// The rows of verifications, messages and webhooks are events too; they need no row of their own in the
  /// log.
  package func after(_ ordinal: Int, limit: Int = 1000) throws -> [Event] {
    try sandbox.database.all(
      """
      SELECT * FROM (
        SELECT * FROM (
          SELECT ordinal, at, kind, provider, subject, destination FROM events
          WHERE key > ?4 AND key < ?5 ORDER BY key LIMIT ?3)
        UNION ALL SELECT * FROM (
          SELECT ordinal, created_at, 'verification.started', provider, ordinal, destination
          FROM verifications WHERE key > ?4 AND key < ?5 ORDER BY key LIMIT ?3)
        UNION ALL SELECT * FROM (
          SELECT ordinal, submitted_at, 'message.sent', provider, ordinal, destination
          FROM messages WHERE key > ?4 AND key < ?5 ORDER BY key LIMIT ?3)
        UNION ALL SELECT * FROM (
          SELECT ordinal, created_at, 'webhook.enqueued', provider, ordinal, url
          FROM webhooks WHERE sandbox = ?1 AND ordinal > ?2 ORDER BY ordinal LIMIT ?3)
      ) ORDER BY ordinal LIMIT ?3
      """, sandbox.id, ordinal, limit, sandbox.key(ordinal), sandbox.key(.max), read: Event.init(row:))
  }

  /// The events with a lower ordinal, newest first.
  package func before(_ ordinal: Int, limit: Int) throws -> [Event] {
    try sandbox.database.all(
      """
      SELECT * FROM (
        SELECT * FROM (
          SELECT ordinal, at, kind, provider, subject, destination FROM events
          WHERE key > ?4 AND key < ?5 ORDER BY key DESC LIMIT ?3)
        UNION ALL SELECT * FROM (
          SELECT ordinal, created_at, 'verification.started', provider, ordinal, destination
          FROM verifications WHERE key > ?4 AND key < ?5 ORDER BY key DESC LIMIT ?3)
        UNION ALL SELECT * FROM (
          SELECT ordinal, submitted_at, 'message.sent', provider, ordinal, destination
          FROM messages WHERE key > ?4 AND key < ?5 ORDER BY key DESC LIMIT ?3)
        UNION ALL SELECT * FROM (
          SELECT ordinal, created_at, 'webhook.enqueued', provider, ordinal, url
          FROM webhooks WHERE sandbox = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT ?3)
      ) ORDER BY ordinal DESC LIMIT ?3
      """, sandbox.id, ordinal, limit, sandbox.key(0), sandbox.key(ordinal), read: Event.init(row:))
  }

  func append(_ kind: Event.Kind, of verification: Verification, at time: Timestamp) throws {
    try append(
      kind, provider: verification.claim.provider, subject: verification.ordinal,
      destination: verification.claim.destination, at: time)
  }

  package func append(
    _ kind: Event.Kind, provider: String, subject: Int, destination: String, at time: Timestamp
  ) throws {
    sandbox.countEvent()
    try sandbox.database.run(
      """
      INSERT INTO events (key, at, kind, provider, subject, destination) VALUES (?, ?, ?, ?, ?, ?)
      """,
      sandbox.key(sandbox.nextOrdinal()), time.milliseconds, kind.rawValue, provider, subject, destination)
  }
}

extension Event {
  /// Reads ordinal, time, kind, provider, subject and destination.
  fileprivate init(row: Row) throws(DatabaseError) {
    let kind = try Kind(column: row.text(2), "the kind of an event")
    self.init(
      ordinal: row.int(0), at: Timestamp(milliseconds: row.int64(1)), kind: kind, provider: row.text(3),
      subject: row.int(4),
      destination: kind == .webhookEnqueued ? Webhook.masked(row.text(5)) : row.text(5))
  }
}
