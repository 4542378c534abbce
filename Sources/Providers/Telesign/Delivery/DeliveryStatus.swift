import ProviderKit

/// The delivery of a message or call in the provider's terms. Source: contract 14 and 15.1.
struct DeliveryStatus: Equatable, Sendable {
  /// `status.code` of SMS and voice. Source: contract 14, 1xx, 2xx and 5xx.
  let code: Int
  /// `status.code` of omnichannel messages and of the methods of a verification: the code with the same
  /// meaning, or 3003. Source: contract 14, 30xx.
  let omnichannelCode: Int
  /// The carrier's state that it stands for.
  let state: DeliveryReceipt.State

  init(_ code: Int, _ state: DeliveryReceipt.State, omnichannel omnichannelCode: Int) {
    self.code = code
    self.omnichannelCode = omnichannelCode
    self.state = state
  }

  /// The status at a time, from the carrier's receipts until then.
  init(of message: Message, at time: Timestamp) {
    if let receipt = message.receipts(by: time).last {
      self = Self.table.status(of: receipt) ?? Self.table["207"]
    } else {
      self = Self.withoutReceipt(message, after: time - message.submittedAt)
    }
  }

  var isFinal: Bool { state != .accepted && state != .enroute }

  private static func withoutReceipt(_ message: Message, after elapsed: Duration) -> DeliveryStatus {
    let ending = NumberEnding(rawValue: String(message.destination.suffix(4)))
    guard message.receipts.isEmpty, ending != .inProgress else { return .inProgress }
    if ending == .unknownOutcome { return elapsed >= unknownAfter ? .unknown : .inProgress }
    return elapsed >= unconfirmedAfter ? .unconfirmed : .inProgress
  }

  /// How long the status is in progress if the number's ending asks for an unknown outcome.
  static let unknownAfter = Duration.seconds(1)
  /// How long the provider waits for a receipt.
  static let unconfirmedAfter = Duration.seconds(60)
}
