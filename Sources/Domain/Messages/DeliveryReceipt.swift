/// The carrier's report on a message: a state and its time. Source: `carrier.md` 1.1.
package struct DeliveryReceipt: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case accepted = "ACCEPTD"
    /// The carrier is trying to deliver it.
    case enroute = "ENROUTE"
    /// The handset has acknowledged it.
    case delivered = "DELIVRD"
    /// Its validity period has ended.
    case expired = "EXPIRED"
    /// Permanent failure.
    case undeliverable = "UNDELIV"
    case rejected = "REJECTD"
    /// The person has opened it, on channels that report this.
    case read = "READ"
    /// Not a receipt but the answer to the submission: the carrier has not accepted the message.
    case refused = "REFUSED"
  }

  package let state: State
  /// The time since the submission.
  package let after: Duration
  /// The carrier's error number, three digits; 0 is none.
  package let error: Int

  package init(_ state: State, after: Duration, error: Int = 0) {
    self.state = state
    self.after = after
    self.error = error
  }
}

/// The receipts of a message, in order, in the form of a database column: `ENROUTE@50/0 DELIVRD@200/0`.
///
/// They are parsed only on demand; most readers of messages do not need them.
package struct DeliveryReceipts: Equatable, Sendable {
  let column: String

  package init(_ receipts: [DeliveryReceipt]) {
    column = receipts.map { "\($0.state.rawValue)@\($0.after.milliseconds)/\($0.error)" }
      .joined(separator: " ")
  }

  init(column: String) {
    self.column = column
  }

  /// Without those that are damaged.
  package var all: [DeliveryReceipt] {
    column.split(separator: " ").compactMap { part in
      let words = part.split { $0 == "@" || $0 == "/" }
      guard words.count == 3, let state = DeliveryReceipt.State(rawValue: String(words[0])),
        let after = Int64(words[1]), let error = Int(words[2])
      else { return nil }
      return DeliveryReceipt(state, after: .milliseconds(after), error: error)
    }
  }
}
