package import Database

extension Messages {
  /// The messages on handsets now, newest last.
  package func inbox(_ filter: Filter, limit: Int = 1000) throws -> [Message] {
    try shown(filter, limit: limit).reversed()
  }

  /// The newest message on a handset now.
  package func latest(_ filter: Filter) throws -> Message? {
    try shown(filter, limit: 1).first
  }

  /// All submitted messages, on a handset or not, newest last.
  package func submitted(_ filter: Filter, limit: Int = 1000) throws -> [Message] {
    try newest(filter, onHandsets: false, limit: limit).reversed()
  }

  /// The newest messages up to `limit`, newest first: those on handsets now, or all submitted ones.
  package func newest(_ filter: Filter, onHandsets: Bool, limit: Int) throws -> [Message] {
    guard !onHandsets else { return try shown(filter, limit: limit) }
    return try sandbox.database.all(
      Message.self,
      """
      WHERE sandbox = ?1 AND ordinal > ?2 AND ordinal < ?7 AND (?3 IS NULL OR destination = ?3)
        AND (?4 IS NULL OR channel = ?4) AND (?5 IS NULL OR provider = ?5)
      ORDER BY ordinal DESC LIMIT ?6
      """, sandbox.id, filter.after, filter.destination, filter.channel?.rawValue, filter.provider, limit,
      filter.before)
  }

  /// The oldest messages after the filter's ordinal, oldest first: those on handsets now, or all submitted
  /// ones.
  package func page(_ filter: Filter, onHandsets: Bool, limit: Int) throws -> [Message] {
    let latestArrival = onHandsets ? sandbox.clock.now.milliseconds : nil
    if let destination = filter.destination {
      return try sandbox.database.all(
        Message.self,
        """
        INDEXED BY messages_by_destination
        WHERE sandbox = ?1 AND destination = ?2 AND ordinal > ?3 AND (?4 IS NULL OR arrives_at <= ?4)
          AND (?5 IS NULL OR channel = ?5) AND (?6 IS NULL OR provider = ?6)
        ORDER BY ordinal LIMIT ?7
        """, sandbox.id, destination, filter.after, latestArrival, filter.channel?.rawValue, filter.provider,
        limit)
    }
    return try sandbox.database.all(
      Message.self,
      """
      WHERE sandbox = ?1 AND ordinal > ?2 AND (?3 IS NULL OR arrives_at <= ?3)
        AND (?4 IS NULL OR channel = ?4) AND (?5 IS NULL OR provider = ?5)
      ORDER BY ordinal LIMIT ?6
      """, sandbox.id, filter.after, latestArrival, filter.channel?.rawValue, filter.provider, limit)
  }

  package func find(_ ordinal: Int) throws -> Message? {
    try sandbox.database.first(Message.self, "WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal)
  }

  /// The newest message to a destination with this reference, arrived or not.
  package func find(about reference: String, to destination: String) throws -> Message? {
    try sandbox.database.first(
      Message.self,
      """
      INDEXED BY messages_by_destination
      WHERE sandbox = ? AND destination = ? AND reference = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, destination, reference)
  }

  /// Changes the arrival and the receipts of a message; returns the changed message.
  func amend(_ message: Message, arrivesAt: Timestamp, receipts: DeliveryReceipts) throws -> Message {
    try sandbox.database.run(
      "UPDATE messages SET arrives_at = ?, receipts = ? WHERE sandbox = ? AND ordinal = ?",
      arrivesAt.milliseconds, receipts.column, sandbox.id, message.ordinal)
    return try find(message.ordinal) ?? message
  }

  /// The newest messages to a destination that have not arrived, oldest first.
  func held(_ destination: String) throws -> [Message] {
    try sandbox.database.all(
      Message.self,
      """
      INDEXED BY messages_by_destination
      WHERE sandbox = ? AND destination = ? AND arrives_at IS NULL ORDER BY ordinal DESC LIMIT 1000
      """, sandbox.id, destination
    ).reversed()
  }

  private func shown(_ filter: Filter, limit: Int) throws -> [Message] {
    let now = sandbox.clock.now.milliseconds
    if let destination = filter.destination {
      return try sandbox.database.all(
        Message.self,
        """
        INDEXED BY messages_by_destination
        WHERE sandbox = ?1 AND destination = ?2 AND ordinal > ?3 AND ordinal < ?9 AND arrives_at <= ?4
          AND (?5 IS NULL OR channel = ?5) AND (?6 IS NULL OR provider = ?6) AND (?7 = 0 OR code IS NOT NULL)
        ORDER BY ordinal DESC LIMIT ?8
        """, sandbox.id, destination, filter.after, now, filter.channel?.rawValue, filter.provider,
        filter.hasCode, limit, filter.before)
    }
    return try sandbox.database.all(
      Message.self,
      """
      WHERE sandbox = ?1 AND ordinal > ?2 AND ordinal < ?8 AND arrives_at <= ?3
        AND (?4 IS NULL OR channel = ?4) AND (?5 IS NULL OR provider = ?5) AND (?6 = 0 OR code IS NOT NULL)
      ORDER BY ordinal DESC LIMIT ?7
      """, sandbox.id, filter.after, now, filter.channel?.rawValue, filter.provider, filter.hasCode, limit,
      filter.before)
  }
}

extension Message: TableRow {
  package static let table: StaticString = "messages"
  package static let columns: StaticString = """
    ordinal, provider, reference, channel, destination, sender, text, code, submitted_at, arrives_at, receipts
    """

  package init(from row: inout ColumnReader) throws(DatabaseError) {
    self.init(
      ordinal: row.int(), provider: row.text(), reference: row.text(), channel: try Channel(row.text()),
      destination: row.text(), sender: row.text(), text: row.text(), code: row.optionalText(),
      submittedAt: row.time(), arrivesAt: row.optionalTime(),
      receipts: DeliveryReceipts(column: row.text()))
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(provider)
    row.write(reference)
    row.write(channel.rawValue)
    row.write(destination)
    row.write(sender)
    row.write(text)
    row.write(code)
    row.write(submittedAt.milliseconds)
    row.write(arrivesAt?.milliseconds)
    row.write(receipts.column)
  }
}
