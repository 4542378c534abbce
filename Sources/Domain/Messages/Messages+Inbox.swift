import Basics
import Database

/// What handsets show, in the order of arrival.
///
/// Most messages arrive when they are submitted, in the order of their ordinals. The few late ones have an
/// index of their own, and are merged in.
extension Messages {
  /// The messages on handsets now, newest last.
  package func inbox(_ filter: Filter, limit: Int = 1000) throws -> [Message] {
    try shown(filter, limit: limit).reversed()
  }

  /// The message on a handset that arrived last. Where the filter selects few, only the newest messages are
  /// searched.
  package func latest(_ filter: Filter) throws -> Message? {
    var filter = filter
    if filter.destination == nil {
      filter.after = max(filter.after, sandbox.newestOrdinal - Self.searchedOrdinals)
    }
    return try shown(filter, limit: 1).first
  }

  /// So many rows are searched in 10 ms.
  private static let searchedOrdinals = 100_000

  /// The newest messages up to `limit`, newest first: those on handsets now, in the order of arrival, or all
  /// submitted ones.
  package func newest(_ filter: Filter, onHandsets: Bool, limit: Int) throws -> [Message] {
    try onHandsets ? shown(filter, limit: limit) : newestSubmitted(filter, limit: limit)
  }

  /// The oldest messages, oldest first: those on handsets now, in the order of arrival, or all submitted
  /// ones.
  package func page(_ filter: Filter, onHandsets: Bool, limit: Int) throws -> [Message] {
    guard onHandsets else { return try submittedPage(filter, limit: limit) }
    let late = try late(filter, newestFirst: false, limit: limit)
    let atOnce =
      if let destination = filter.destination {
        try sandbox.oldestFirst(
          Message.self, to: destination, after: filter.after, before: filter.before, limit: limit
        ) { isShownAtOnce($0, filter) }
      } else {
        try sandbox.database.all(
          Message.self,
          """
          WHERE key > ?1 AND key < ?2 AND arrival IS NULL AND arrives_at <= ?3
            AND (?4 IS NULL OR channel = ?4) AND (?5 IS NULL OR provider = ?5)
          ORDER BY key LIMIT ?6
          """, sandbox.key(filter.after), sandbox.key(filter.before), sandbox.clock.now.milliseconds,
          filter.channel?.rawValue, filter.provider, limit)
      }
    return merged(atOnce, late, limit: limit) { $0.place < $1.place }
  }

  private func shown(_ filter: Filter, limit: Int) throws -> [Message] {
    let late = try late(filter, newestFirst: true, limit: limit)
    let atOnce =
      if let destination = filter.destination {
        try sandbox.newestFirst(
          Message.self, to: destination, after: filter.after, before: filter.before, limit: limit,
          searched: Self.searched
        ) { isShownAtOnce($0, filter) }
      } else {
        try sandbox.database.all(
          Message.self,
          """
          WHERE key > ?1 AND key < ?2 AND arrival IS NULL AND arrives_at <= ?3
            AND (?4 IS NULL OR channel = ?4) AND (?5 IS NULL OR provider = ?5)
            AND (?6 = 0 OR code IS NOT NULL)
          ORDER BY key DESC LIMIT ?7
          """, sandbox.key(filter.after), sandbox.key(filter.before), sandbox.clock.now.milliseconds,
          filter.channel?.rawValue, filter.provider, filter.hasCode, limit)
      }
    return merged(atOnce, late, limit: limit) { $0.place > $1.place }
  }

  /// The messages that arrived later than they were submitted.
  private func late(_ filter: Filter, newestFirst: Bool, limit: Int) throws -> [Message] {
    guard try haveLate else { return [] }
    let ordinals =
      if let destination = filter.destination {
        try sandbox.database.all(
          """
          SELECT ordinal FROM messages INDEXED BY messages_late_by_destination
          WHERE sandbox = ?1 AND destination = ?2 AND arrival <> 0 AND arrival > ?3 AND arrival < ?4
            AND arrives_at <= ?5 AND (?6 IS NULL OR channel = ?6) AND (?7 IS NULL OR provider = ?7)
            AND (?8 = 0 OR code IS NOT NULL) AND (?9 IS NULL OR (holder IS NULL) = ?9)
          ORDER BY arrival * ?10 LIMIT ?11
          """, sandbox.id, destination, filter.after, filter.before, sandbox.clock.now.milliseconds,
          filter.channel?.rawValue, filter.provider, filter.hasCode, filter.wantsPresentHolder,
          newestFirst ? -1 : 1, limit
        ) { $0.int(0) }
      } else {
        try sandbox.database.all(
          """
          SELECT ordinal FROM messages INDEXED BY messages_late
          WHERE sandbox = ?1 AND arrival <> 0 AND arrival > ?2 AND arrival < ?3
            AND arrives_at <= ?4 AND (?5 IS NULL OR channel = ?5) AND (?6 IS NULL OR provider = ?6)
            AND (?7 = 0 OR code IS NOT NULL)
          ORDER BY arrival * ?8 LIMIT ?9
          """, sandbox.id, filter.after, filter.before, sandbox.clock.now.milliseconds,
          filter.channel?.rawValue, filter.provider, filter.hasCode, newestFirst ? -1 : 1, limit
        ) { $0.int(0) }
      }
    return try ordinals.compactMap { try find($0) }
  }

  private func isShownAtOnce(_ message: Message, _ filter: Filter) -> Bool {
    message.arrival == .atOnce && filter.selects(message) && (!filter.hasCode || message.code != nil)
      && message.arrivesAt.map { $0 <= sandbox.clock.now } ?? false
      && filter.wantsPresentHolder.map { $0 == (message.formerHolder == nil) } ?? true
  }

  private func merged(
    _ atOnce: [Message], _ late: [Message], limit: Int, by isBefore: (Message, Message) -> Bool
  ) -> [Message] {
    late.isEmpty ? atOnce : Array((atOnce + late).sorted(by: isBefore).prefix(limit))
  }
}

extension Messages.Filter {
  /// True for a message of the channel and provider.
  func selects(_ message: Message) -> Bool {
    message.channel == channel ?? message.channel && message.provider == provider ?? message.provider
  }

  /// Nil: everybody's messages.
  fileprivate var wantsPresentHolder: Bool? {
    switch holder {
    case .present: true
    case .previous: false
    case .all: nil
    }
  }
}
