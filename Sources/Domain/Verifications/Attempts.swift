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
    var attempts: [Attempt] = []
    var rest = column.utf8[...]
    while let at = rest.firstIndex(of: UInt8(ascii: "@")) {
      let end = rest[at...].firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
      guard let time = Int64(Substring(rest[rest.index(after: at)..<end])) else {
        preconditionFailure("no sendings: \(column)")
      }
      attempts.append(
        Attempt(
          number: attempts.count + 1, channel: Channel(String(Substring(rest[..<at]))),
          sentAt: Timestamp(milliseconds: time)))
      rest = rest[end...].dropFirst()
    }
    return attempts
  }
}
