import Basics
import Database

/// When a handset shows a message, in the order of arrival.
package enum Arrival: Equatable, Sendable {
  /// With its submission, or never.
  case atOnce
  /// At its `arrivesAt`.
  case later
  /// Right after the next message to the destination, at the latest at its `arrivesAt`.
  case afterNext
  /// It came later than it was submitted. The number is the ordinal of the event.
  case at(Int)

  /// True while the message is on its way.
  var isAhead: Bool { self == .later || self == .afterNext }

  init(column: Int?) {
    switch column {
    case nil: self = .atOnce
    case 0?: self = .later
    case Self.afterNextColumn?: self = .afterNext
    case let ordinal?: self = .at(ordinal)
    }
  }

  var column: Int? {
    switch self {
    case .atOnce: nil
    case .later: 0
    case .afterNext: Self.afterNextColumn
    case .at(let ordinal): ordinal
    }
  }

  private static let afterNextColumn = -1
}

extension Messages {
  /// Delivers a message that is due, unless it has arrived, was cleared or was withdrawn.
  func deliver(_ item: Agenda.Item) throws {
    guard let message = try find(item.subject), message.arrivesAt == item.dueAt, message.arrival.isAhead
    else { return }
    try arrive(message, at: item.dueAt)
    if let push = try sandbox.pushes.find(message.ordinal) { try sandbox.pushes.signal(push) }
    try deliverOvertaken(by: message, at: item.dueAt)
  }

  /// Delivers the messages that wait for one to their destination.
  func deliverOvertaken(by message: Message, at time: Timestamp) throws {
    guard try haveLate else { return }
    let waiting = try sandbox.database.all(
      Message.self,
      """
      INDEXED BY messages_late_by_destination
      WHERE sandbox = ? AND destination = ? AND arrival <> 0 AND arrival = -1 AND channel = ? AND key < ?
      ORDER BY key
      """, sandbox.id, message.destination, message.channel.rawValue, sandbox.key(message.ordinal))
    for message in waiting { try arrive(message, at: time) }
  }

  /// True if a message arrived late, or waits for the next one to its destination. Asks the database once.
  var haveLate: Bool {
    get throws {
      if let known = sandbox.derived.hasLateMessages { return known }
      let found = try sandbox.database.first(
        "SELECT 1 FROM messages INDEXED BY messages_late WHERE sandbox = ? AND arrival <> 0 LIMIT 1",
        sandbox.id
      ) { $0.int(0) }
      sandbox.derived.hasLateMessages = found != nil
      return found != nil
    }
  }

  private func arrive(_ message: Message, at time: Timestamp) throws {
    try sandbox.events.append(
      .messageArrived, provider: message.provider, subject: message.ordinal,
      destination: message.destination, at: time)
    _ = try amend(message, arrivesAt: time, arrival: .at(sandbox.newestOrdinal), receipts: message.receipts)
  }
}
