import Basics
package import Database

extension Messages {
  /// All submitted messages, on a handset or not, newest last.
  package func submitted(_ filter: Filter, limit: Int = 1000) throws -> [Message] {
    try newest(filter, onHandsets: false, limit: limit).reversed()
  }

  /// Newest first.
  func newestSubmitted(_ filter: Filter, limit: Int) throws -> [Message] {
    if let destination = filter.destination {
      return try sandbox.newestFirst(
        Message.self, to: destination, after: filter.after, before: filter.before, limit: limit,
        searched: Self.searched
      ) { filter.selects($0) }
    }
    return try sandbox.database.all(
      Message.self,
      """
      WHERE key > ?1 AND key < ?2 AND (?3 IS NULL OR channel = ?3) AND (?4 IS NULL OR provider = ?4)
      ORDER BY key DESC LIMIT ?5
      """, sandbox.key(filter.after), sandbox.key(filter.before), filter.channel?.rawValue, filter.provider,
      limit)
  }

  /// How many phones the newest messages, silent verifications and requests for approval without a push are
  /// on.
  package func activePhoneCount(amongNewest limit: Int) throws -> Int {
    try sandbox.database.first(
      """
      SELECT COUNT(*) FROM (
        SELECT * FROM (
          SELECT CASE WHEN arrives_at IS NULL AND receipts = ?3 THEN sender ELSE destination END
          FROM messages WHERE key > ?5 AND key < ?6 AND arrives_at IS NOT ?4 ORDER BY key DESC LIMIT ?2)
        UNION
        SELECT * FROM (
          SELECT CASE number WHEN '' THEN handset ELSE number END AS phone
          FROM silent_sessions WHERE sandbox = ?1 ORDER BY ordinal DESC LIMIT ?2)
        WHERE phone IS NOT NULL
        UNION
        SELECT * FROM (
          SELECT holder FROM challenges WHERE sandbox = ?1 AND push IS NULL ORDER BY ordinal DESC LIMIT ?2))
      """, sandbox.id, limit, Self.receiptsOfTexts.column, Timestamp.latest.milliseconds, sandbox.key(0),
      sandbox.key(.max)
    ) { $0.int(0) } ?? 0
  }

  /// The phones that the newest messages before an ordinal are on, whoever has sent them; with the ordinal of
  /// the newest one and how many there are. The newest phone is first.
  ///
  /// `text`: only messages with this text, in lower case, in their number or at the beginning of their text.
  /// Returns also the oldest ordinal that was looked at; nil if nothing is older.
  package func phones(
    before ordinal: Int = .max, amongNewest limit: Int, with text: String = "", _ filter: Filter = Filter()
  ) throws -> (phones: [(id: String, newest: Int, count: Int)], oldest: Int?) {
    let first = sandbox.key(0)
    let oldest = try sandbox.database.first(
      "SELECT ordinal FROM messages WHERE key > ? AND key < ? ORDER BY key DESC LIMIT 1 OFFSET ?", first,
      sandbox.key(ordinal), limit
    ) { $0.int(0) + 1 }
    let phones = try sandbox.database.all(
      """
      SELECT CASE WHEN arrives_at IS NULL AND receipts = ?1 THEN sender ELSE destination END AS phone,
        MAX(ordinal), COUNT(*)
      FROM messages WHERE key >= ?2 AND key < ?3 AND arrives_at IS NOT ?4
        AND (?5 IS NULL OR channel = ?5) AND (?6 IS NULL OR provider = ?6)
        AND (?7 = '' OR instr(lower(destination || ' ' || sender || ' ' || provider || ' ' || channel), ?7) > 0
          OR instr(lower(substr(text, 1, 500)), ?7) > 0)
      GROUP BY phone ORDER BY 2 DESC
      """, Self.receiptsOfTexts.column, oldest.map(sandbox.key) ?? first, sandbox.key(ordinal),
      Timestamp.latest.milliseconds, filter.channel?.rawValue, filter.provider, text
    ) { (id: $0.text(0), newest: $0.int(1), count: $0.int(2)) }
    return (phones, oldest)
  }

  /// True if there are more messages than this.
  package func areMore(than count: Int) throws -> Bool {
    try sandbox.database.first(
      "SELECT 1 FROM messages WHERE key > ? AND key < ? LIMIT 1 OFFSET ?", sandbox.key(0), sandbox.key(.max),
      count
    ) { $0.int(0) } != nil
  }

  /// The newest message from a sender to a person.
  package func newest(from sender: String) throws -> Message? {
    try sandbox.database.first(
      Message.self,
      """
      WHERE key > ? AND key < ? AND sender = ? AND NOT (arrives_at IS NULL AND receipts = ?)
      ORDER BY key DESC LIMIT 1
      """, sandbox.key(0), sandbox.key(.max), sender, Self.receiptsOfTexts.column)
  }

  /// The senders of the newest messages to people, the newest first.
  package func senders(amongNewest limit: Int) throws -> [String] {
    let messages = try newestSubmitted(Filter(), limit: limit).filter { !$0.isFromHandset }
    return messages.map(\.sender).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The oldest submitted messages, oldest first.
  func submittedPage(_ filter: Filter, limit: Int) throws -> [Message] {
    if let destination = filter.destination {
      return try sandbox.oldestFirst(
        Message.self, to: destination, after: filter.after, before: filter.before, limit: limit
      ) { filter.selects($0) }
    }
    return try sandbox.database.all(
      Message.self,
      """
      WHERE key > ?1 AND key < ?2 AND (?3 IS NULL OR channel = ?3) AND (?4 IS NULL OR provider = ?4)
      ORDER BY key LIMIT ?5
      """, sandbox.key(filter.after), sandbox.key(filter.before), filter.channel?.rawValue, filter.provider,
      limit)
  }

  package func find(_ ordinal: Int) throws -> Message? {
    try sandbox.database.first(Message.self, "WHERE key = ?", sandbox.key(ordinal))
  }

  /// The newest message to a destination with this reference, arrived or not.
  package func find(about reference: String, to destination: String) throws -> Message? {
    let newest = try sandbox.newest(Message.self, to: destination) { $0.reference == reference }
    guard let newest, newest.receipts.isEmpty, let earlier = try find(newest.ordinal - 1),
      newest.isCopy(of: earlier)
    else { return newest }
    return earlier
  }

  /// Changes the arrival and the receipts of a message; returns the changed message.
  func amend(
    _ message: Message, arrivesAt: Timestamp, arrival: Arrival, receipts: DeliveryReceipts
  ) throws -> Message {
    if case .at = arrival { sandbox.derived.hasLateMessages = true }
    try sandbox.database.run(
      "UPDATE messages SET arrives_at = ?, arrival = ?, receipts = ? WHERE key = ?", arrivesAt.milliseconds,
      arrival.column, receipts.column, sandbox.key(message.ordinal))
    return try find(message.ordinal) ?? message
  }

  /// The newest messages to a destination that have not arrived, oldest first.
  func held(_ destination: String) throws -> [Message] {
    try sandbox.newestFirst(Message.self, to: destination, limit: 1000, searched: Self.searched) {
      $0.arrivesAt == nil
    }.reversed()
  }

  /// How many of the newest messages to a destination are searched. So many are read in 10 ms.
  static let searched = 4_000
}

extension Message: TableRow {
  package static let table: StaticString = "messages"
  package static let columns: StaticString = """
    ordinal, provider, reference, channel, destination, sender, text, code, code_source, submitted_at,
      arrives_at, receipts, arrival, holder
    """
  package static let hasRecordKey = true

  package init(from row: inout ColumnReader) throws(DatabaseError) {
    let (ordinal, provider, reference, channel) = (row.int(), row.text(), row.text(), try Channel(row.text()))
    let (destination, sender, text, code) = (row.text(), row.text(), row.text(), row.optionalText())
    let codeSource = row.optionalText().flatMap(CodeSource.init)
    self.init(
      ordinal: ordinal, provider: provider, reference: reference, channel: channel, destination: destination,
      sender: sender, text: text, code: code,
      submittedAt: row.time(), arrivesAt: row.optionalTime(),
      receipts: DeliveryReceipts(column: row.text()), codeSource: codeSource,
      arrival: Arrival(column: row.optionalInt()),
      formerHolder: try row.optionalText().map { text throws(DatabaseError) in try Holder(column: text) })
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
    row.write(codeSource?.rawValue)
    row.write(submittedAt.milliseconds)
    row.write(arrivesAt?.milliseconds)
    row.write(receipts.column)
    row.write(arrival.column)
    row.write(formerHolder?.column)
  }
}
