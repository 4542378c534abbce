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
      return try sandbox.oldestFirst(Message.self, to: destination, after: filter.after, limit: limit) {
        filter.selects($0) && (!onHandsets || isOnHandset($0))
      }
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
    try sandbox.newest(Message.self, to: destination) { $0.reference == reference }
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
    try sandbox.newestFirst(Message.self, to: destination, limit: 1000) { $0.arrivesAt == nil }.reversed()
  }

  private func isOnHandset(_ message: Message) -> Bool {
    message.arrivesAt.map { $0 <= sandbox.clock.now } ?? false
  }

  private func shown(_ filter: Filter, limit: Int) throws -> [Message] {
    let now = sandbox.clock.now.milliseconds
    if let destination = filter.destination {
      return try sandbox.newestFirst(
        Message.self,
        to: destination, after: filter.after, before: filter.before, limit: limit
      ) {
        filter.selects($0) && isOnHandset($0) && (!filter.hasCode || $0.code != nil)
      }
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

extension Messages.Filter {
  /// True for a message of the channel and provider.
  fileprivate func selects(_ message: Message) -> Bool {
    message.channel == channel ?? message.channel && message.provider == provider ?? message.provider
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
