import Basics
import JSON

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
  /// The name of the provider's status that a scenario asked for, instead of the usual one for this receipt.
  package let providerStatus: String?

  package init(_ state: State, after: Duration, error: Int = 0, providerStatus: String? = nil) {
    self.state = state
    self.after = after
    self.error = error
    self.providerStatus = providerStatus
  }
}

/// The receipts of a message, in order, in the form of a database column: `ENROUTE@50/0 DELIVRD@200/0`. The
/// provider's status follows, if a scenario names one: `UNDELIV@500/1=521`.
///
/// They are parsed only on demand; most readers of messages do not need them.
package struct DeliveryReceipts: Equatable, Sendable {
  let column: String

  package init(_ receipts: [DeliveryReceipt]) {
    column = receipts.map { receipt in
      let status = receipt.providerStatus.map { "=\($0)" } ?? ""
      return "\(receipt.state.rawValue)@\(receipt.after.milliseconds)/\(receipt.error)\(status)"
    }.joined(separator: " ")
  }

  init(column: String) {
    self.column = column
  }

  package var isEmpty: Bool { column.isEmpty }

  /// Without those that are damaged.
  package var all: [DeliveryReceipt] {
    var column = column
    return column.withUTF8 { $0.split(separator: UInt8(ascii: " ")).compactMap(Self.parse) }
  }

  /// The last one, unless it is damaged.
  package var last: DeliveryReceipt? {
    var column = column
    return column.withUTF8 { bytes in
      let start = bytes.lastIndex(of: UInt8(ascii: " ")).map { $0 + 1 } ?? 0
      return Self.parse(bytes[start...])
    }
  }

  /// Parses one receipt: `DELIVRD@200/0`, `UNDELIV@500/1=521`.
  private static func parse(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> DeliveryReceipt? {
    guard let at = text.firstIndex(of: UInt8(ascii: "@")),
      let slash = text[at...].firstIndex(of: UInt8(ascii: "/")),
      case let end = text[slash...].firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex,
      let state = DeliveryReceipt.State(rawValue: String(decoding: text[..<at], as: UTF8.self)),
      let after = Int64(decimal: text[(at + 1)..<slash]), let error = Int64(decimal: text[(slash + 1)..<end])
    else { return nil }
    let status = end < text.endIndex ? String(decoding: text[(end + 1)...], as: UTF8.self) : nil
    return DeliveryReceipt(state, after: .milliseconds(after), error: Int(error), providerStatus: status)
  }
}
