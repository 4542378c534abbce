/// One sending of a verification's code.
package struct Attempt: Equatable, Sendable {
  /// Its number among the sendings of its verification, from 1.
  package let number: Int
  /// How the code travelled.
  package let channel: Channel
  /// When.
  package let sentAt: Timestamp
}

/// The sendings of a verification, oldest first, as its row has them: `sms@1767608430000 call@1767608490000`.
///
/// They are read only when somebody asks for them: a check does not.
package struct Attempts: Equatable, Sendable {
  /// The text of the column.
  let column: String

  /// The first sending.
  init(first channel: Channel, at time: Timestamp) {
    column = "\(channel.rawValue)@\(time.milliseconds)"
  }

  /// The sendings that a row has.
  init(column: String) {
    self.column = column
  }

  /// These and one more.
  func adding(_ channel: Channel, at time: Timestamp) -> Attempts {
    Attempts(column: "\(column) \(Attempts(first: channel, at: time).column)")
  }

  /// Each of them.
  package var all: [Attempt] {
    column.utf8.split(separator: UInt8(ascii: " ")).enumerated().map { index, part in
      let halves = part.split(separator: UInt8(ascii: "@"))
      guard halves.count == 2, let time = Int64(Substring(halves[1])) else {
        preconditionFailure("no sending: \(Substring(part))")
      }
      return Attempt(
        number: index + 1, channel: Channel(String(Substring(halves[0]))),
        sentAt: Timestamp(milliseconds: time))
    }
  }
}
