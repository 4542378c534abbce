import ProviderKit

/// What has become of a message. Webhooks, history and Notify derive from it.
struct Delivery: Equatable, Sendable {
  let state: DeliveryState
  /// Why it is lost.
  let reason: LossReason?

  init(_ state: DeliveryState, _ reason: LossReason? = nil) {
    self.state = state
    self.reason = reason
  }
}

/// `status` of a delivery event in the history. Source: contract 5.
enum DeliveryState: String {
  case submitted
  case inTransit = "in_transit"
  case delivered
  case read
  case undeliverable
  case expired
  case unknown
  case silentStarted = "silent_started"
  case silentVerified = "silent_verified"
  case silentMismatch = "silent_mismatch"

  /// `delivery_status` of the attempt in the history.
  var summary: DeliveryState {
    switch self {
    case .submitted, .inTransit, .silentStarted: .inTransit
    case .delivered, .silentVerified: .delivered
    case .read: .read
    case .expired, .undeliverable, .silentMismatch: .undeliverable
    case .unknown: .unknown
    }
  }

  var isLoss: Bool { summary == .undeliverable }

  /// The status in webhooks; nil for a state that they do not report.
  var webhookStatus: DeliveryStatus? {
    self == .submitted ? .submitted : DeliveryStatus(rawValue: summary.rawValue)
  }

  /// True if nothing follows but `read`.
  var isFinal: Bool { summary != .inTransit }
}

/// `reason` of a failed notification. Source: contract 12.3.
enum LossReason: String, CaseIterable {
  case unavailable, generic, network
  case unknownRecipient = "unknown_recipient"
  case insufficientBalance = "insufficient_balance"
  case carrierRejected = "carrier_rejected"
}

extension Message {
  /// What becomes of it, those of the future too, oldest first: submitted, in transit, and the end. Without
  /// a final receipt it is unknown after 300 seconds, or at `end`. Source: contract 12.2 and 16.1.
  func deliveries(until end: Timestamp? = nil) -> [(delivery: Delivery, at: Timestamp)] {
    let reported = receipts.all.compactMap { receipt in
      Delivery.table.status(of: receipt).map { (delivery: $0, at: submittedAt + receipt.after) }
    }
    var all = [(delivery: Delivery(.submitted), at: submittedAt)]
    if reported.first?.delivery.state != .inTransit, !receipts.all.contains(where: { $0.state == .refused }) {
      all.append((Delivery(.inTransit), submittedAt))
    }
    all += reported
    if all.last?.delivery.state.isFinal != true {
      all.append((Delivery(.unknown), end ?? submittedAt + .seconds(300)))
    }
    return all
  }
}
