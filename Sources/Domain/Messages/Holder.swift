import Database

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

extension Messages {
  /// Leaves the messages that a number has received over some channels with its former holder.
  func leave(_ number: PhoneNumber, with holder: Holder, over channels: Set<Channel>) throws {
    var filter = Filter()
    filter.destination = number.description
    for message in try newest(filter, onHandsets: true, limit: .max) where channels.contains(message.channel)
    {
      try sandbox.database.run(
        "UPDATE messages SET holder = ? WHERE key = ?", holder.column, sandbox.key(message.ordinal))
    }
  }
}
