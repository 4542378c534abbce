import Basics
import Database
import Numbers

/// Who has a number: a person, and the SIM card in their handset.
package struct Holder: Equatable, Sendable {
  /// The person's place in the number's `subscriberPeriods`, counted from 1.
  package let subscriber: Int
  /// The number of the SIM card.
  package let iccid: String

  /// As a column of the database: `1 8900101…`.
  init(column: String) throws(DatabaseError) {
    let words = column.split(separator: " ")
    guard words.count == 2, let subscriber = Int(words[0]) else {
      throw DatabaseError.damagedValue(column, expected: "the holder of a number")
    }
    self.init(subscriber: subscriber, iccid: String(words[1]))
  }

  init(subscriber: Int, iccid: String) {
    self.subscriber = subscriber
    self.iccid = iccid
  }

  var column: String { "\(subscriber) \(iccid)" }
}

/// Which messages of a number a reader wants.
package enum HolderChoice: String, CaseIterable, Sendable {
  /// Those of whoever has the number now.
  case present
  /// Those that stayed with whoever had it before.
  case previous
  case all
}

extension Subscriber {
  /// Who has the number now.
  package var holder: Holder { Holder(subscriber: subscriberPeriods.count, iccid: iccid) }
}

/// Many messages are left in parts: see `Messages.clear`.
extension Messages {
  /// A part leaves so many messages, or looks at so many.
  private static let leftPerPart = 500
  private static let seenPerPart = 1_000

  /// Leaves the messages that a number has received with its former holder: those on the SIM card, or all.
  func leave(_ number: PhoneNumber, with holder: Holder, isCardOnly: Bool) throws {
    try leave(
      number.description, with: holder, isCardOnly: isCardOnly, before: .max, at: sandbox.clock.now)
  }

  /// Leaves the next part.
  func leaveMessages(_ item: Agenda.Item) throws {
    guard let last = try find(item.subject), let holder = item.holder else { return }
    try leave(
      last.destination, with: holder, isCardOnly: item.detail == 1, before: last.ordinal, at: item.dueAt)
  }

  private func leave(
    _ destination: String, with holder: Holder, isCardOnly: Bool, before ordinal: Int, at time: Timestamp
  ) throws {
    let channels = isCardOnly ? Set<Channel>.ofSIMCard : .ofNumber
    var (seen, left, last) = (0, 0, ordinal)
    try sandbox.destinations.newestFirst(.message, of: destination, before: ordinal) { ordinal in
      guard seen < Self.seenPerPart, left < Self.leftPerPart else { return false }
      guard let message = try find(ordinal), message.destination == destination else { return true }
      (seen, last) = (seen + 1, ordinal)
      guard channels.contains(message.channel), message.formerHolder == nil, message.isOnHandset(at: time)
      else { return true }
      try sandbox.database.run(
        "UPDATE messages SET holder = ? WHERE key = ?", holder.column, sandbox.key(ordinal))
      left += 1
      return true
    }
    guard seen == Self.seenPerPart || left == Self.leftPerPart else { return }
    try sandbox.agenda.schedule(
      .leaveMessages, on: last, detail: isCardOnly ? 1 : 0, holder: holder, at: time)
  }
}

extension Message {
  /// True if it has arrived by a time, and was not removed since.
  fileprivate func isOnHandset(at time: Timestamp) -> Bool {
    !arrival.isAhead && arrivesAt.map { $0 <= time } ?? false
  }
}
