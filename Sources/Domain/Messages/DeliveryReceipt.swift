/// The carrier's report on a message: a state and when it was reached. Source: `carrier.md` 1.1.
package struct DeliveryReceipt: Equatable, Sendable {
  /// The words of a receipt.
  package enum State: String, Sendable {
    /// Taken over by the carrier.
    case accepted = "ACCEPTD"
    /// Being tried.
    case enroute = "ENROUTE"
    /// The handset acknowledged it.
    case delivered = "DELIVRD"
    /// The validity period ended first.
    case expired = "EXPIRED"
    /// Failed for good.
    case undeliverable = "UNDELIV"
    /// Refused.
    case rejected = "REJECTD"
    /// The person opened it, where the channel tells.
    case read = "READ"
    /// Not a receipt but the answer to the submission: the carrier would not take it.
    case refused = "REFUSED"
  }

  /// What became of the message.
  package let state: State
  /// How long after the message was submitted.
  package let after: Duration
  /// The carrier's error number, three digits; 0 is none.
  package let error: Int

  /// A report.
  package init(_ state: State, after: Duration, error: Int = 0) {
    self.state = state
    self.after = after
    self.error = error
  }
}

/// The receipts of a message, in order, as its row has them: `ENROUTE@50/0 DELIVRD@200/0`.
///
/// They are read only when somebody asks for them: a code is read without.
package struct DeliveryReceipts: Equatable, Sendable {
  /// The text of the column.
  let column: String

  /// Receipts in the order in which they come.
  package init(_ receipts: [DeliveryReceipt]) {
    column = receipts.map { "\($0.state.rawValue)@\($0.after.milliseconds)/\($0.error)" }
      .joined(separator: " ")
  }

  /// The receipts that a row has.
  init(column: String) {
    self.column = column
  }

  /// Each of them.
  package var all: [DeliveryReceipt] {
    column.split(separator: " ").map { part in
      let words = part.split { $0 == "@" || $0 == "/" }
      guard words.count == 3, let state = DeliveryReceipt.State(rawValue: String(words[0])),
        let after = Int64(words[1]), let error = Int(words[2])
      else { preconditionFailure("no receipt: \(part)") }
      return DeliveryReceipt(state, after: .milliseconds(after), error: error)
    }
  }
}
