import Database

/// A message before the carrier has taken it.
package struct MessageDraft: Sendable {
  /// The provider that sends it.
  package let provider: String
  /// The provider's own id of what it is about.
  package let reference: String
  /// How it is to travel.
  package let channel: Channel
  /// Where it goes.
  package let destination: String
  /// Whom it is from.
  package let sender: String
  /// What it says.
  package let text: String
  /// The code in the text.
  package let code: String?
  /// What the request itself wants to become of it, where the provider's clients can say so.
  package var scenario: Scenario?

  /// A draft from its parts.
  package init(
    provider: String, reference: String, channel: Channel, destination: String, sender: String, text: String,
    code: String?
  ) {
    self.provider = provider
    self.reference = reference
    self.channel = channel
    self.destination = destination
    self.sender = sender
    self.text = text
    self.code = code
  }
}

/// The messages of a sandbox: submitted to the carrier, and read from handsets' inboxes.
package struct Messages {
  /// Which messages of the inbox are asked for.
  package struct Filter: Sendable {
    /// Only to this destination.
    package var destination: String?
    /// Only of this channel.
    package var channel: Channel?
    /// Only from this provider.
    package var provider: String?
    /// Only with a code in them.
    package var hasCode = false
    /// Only those behind this ordinal.
    package var after = 0

    /// No restriction.
    package init() {}
  }

  let sandbox: Sandbox

  /// Hands a message to the carrier, which decides at once what becomes of it.
  package func submit(_ draft: MessageDraft, to subscriber: Subscriber?) throws -> Message {
    let now = sandbox.clock.now
    let plan = try sandbox.scenarios.plan(for: draft, to: subscriber)
    let message = Message(
      ordinal: sandbox.nextOrdinal(), provider: draft.provider, reference: draft.reference,
      channel: draft.channel, destination: draft.destination, sender: draft.sender, text: draft.text,
      code: draft.code, submittedAt: now, arrivesAt: plan.arrivesAfter.map { now + $0 },
      receipts: plan.receipts)
    try insert(message)
    for _ in 1..<plan.copies { try insert(message.copy(ordinal: sandbox.nextOrdinal())) }
    if let arrival = message.arrivesAt, arrival > now {
      try sandbox.agenda.schedule(.deliverMessage, on: message.ordinal, at: arrival)
    }
    return message
  }

  /// Messages that handsets show now, newest last.
  package func inbox(_ filter: Filter, limit: Int = 1000) throws -> [Message] {
    try select(filter, limit: limit).reversed()
  }

  /// The newest message that a handset shows now.
  package func latest(_ filter: Filter) throws -> Message? {
    try select(filter, limit: 1).first
  }

  /// The message of this number.
  package func find(_ ordinal: Int) throws -> Message? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, channel, destination, sender, text, code, submitted_at, arrives_at,
        receipts FROM messages WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Message.init(row:))
  }

  /// The newest message to a destination that is about this reference, arrived or not.
  package func find(about reference: String, to destination: String) throws -> Message? {
    try sandbox.database.first(
      """
      SELECT ordinal, provider, reference, channel, destination, sender, text, code, submitted_at, arrives_at,
        receipts FROM messages INDEXED BY messages_by_destination
      WHERE sandbox = ? AND destination = ? AND reference = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, destination, reference, read: Message.init(row:))
  }

  /// Empties the inbox of a destination, or of all.
  package func clear(destination: String?) throws {
    if let destination {
      try sandbox.database.run(
        "DELETE FROM messages WHERE sandbox = ? AND destination = ?", sandbox.id, destination)
    } else {
      try sandbox.database.run("DELETE FROM messages WHERE sandbox = ?", sandbox.id)
    }
  }

  private func insert(_ message: Message) throws {
    try sandbox.database.run(
      """
      INSERT INTO messages (sandbox, ordinal, provider, reference, channel, destination, sender, text, code,
        submitted_at, arrives_at, receipts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, message.ordinal, message.provider, message.reference, message.channel.rawValue,
      message.destination, message.sender, message.text, message.code, message.submittedAt.milliseconds,
      message.arrivesAt?.milliseconds, message.receipts.column)
  }

  private func select(_ filter: Filter, limit: Int) throws -> [Message] {
    let now = sandbox.clock.now.milliseconds
    if let destination = filter.destination {
      return try sandbox.database.all(
        """
        SELECT ordinal, provider, reference, channel, destination, sender, text, code, submitted_at,
          arrives_at, receipts FROM messages INDEXED BY messages_by_destination
        WHERE sandbox = ?1 AND destination = ?2 AND ordinal > ?3 AND arrives_at <= ?4
          AND (?5 IS NULL OR channel = ?5) AND (?6 IS NULL OR provider = ?6) AND (?7 = 0 OR code IS NOT NULL)
        ORDER BY ordinal DESC LIMIT ?8
        """, sandbox.id, destination, filter.after, now, filter.channel?.rawValue, filter.provider,
        filter.hasCode, limit, read: Message.init(row:))
    }
    return try sandbox.database.all(
      """
      SELECT ordinal, provider, reference, channel, destination, sender, text, code, submitted_at,
        arrives_at, receipts FROM messages
      WHERE sandbox = ?1 AND ordinal > ?2 AND arrives_at <= ?3
        AND (?4 IS NULL OR channel = ?4) AND (?5 IS NULL OR provider = ?5) AND (?6 = 0 OR code IS NOT NULL)
      ORDER BY ordinal DESC LIMIT ?7
      """, sandbox.id, filter.after, now, filter.channel?.rawValue, filter.provider, filter.hasCode, limit,
      read: Message.init(row:))
  }
}

extension Message {
  /// Reads a row whose columns stand in the order of the table, without the sandbox.
  fileprivate init(row: Row) {
    guard let channel = Channel(rawValue: row.text(3)) else {
      preconditionFailure("the database holds no such channel: \(row.text(3))")
    }
    self.init(
      ordinal: row.int(0), provider: row.text(1), reference: row.text(2), channel: channel,
      destination: row.text(4), sender: row.text(5), text: row.text(6), code: row.optionalText(7),
      submittedAt: Timestamp(milliseconds: row.int64(8)),
      arrivesAt: row.isNull(9) ? nil : Timestamp(milliseconds: row.int64(9)),
      receipts: DeliveryReceipts(column: row.text(10)))
  }
}
