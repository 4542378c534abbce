import Domain

/// The delivery status of an attempt's message or call by now. Source: contract 6.
struct DeliveryStatus {
  /// A message's status or a call's.
  let name: String
  let failure: DeliveryFailure?
  /// The time of the last change of the status.
  let changedAt: Timestamp

  init(of message: Message, in sandbox: Sandbox) throws {
    let now = sandbox.clock.now
    if let call = try sandbox.calls.find(message.ordinal) {
      let elapsed = now - message.submittedAt
      name = call.statusName(after: elapsed)
      failure = nil
      changedAt = message.submittedAt + min(elapsed, call.endsAfter)
      return
    }
    let receipt = message.receipts(by: now).last
    changedAt = message.submittedAt + (receipt?.after ?? .zero)
    name = (receipt?.state ?? .accepted).messageStatus
    failure = receipt.flatMap { DeliveryFailure($0) }
  }
}

extension DeliveryReceipt.State {
  /// Source: contract 6.
  var messageStatus: String {
    switch self {
    case .accepted, .enroute: "sent"
    case .delivered: "delivered"
    case .read: "read"
    case .refused: "failed"
    case .expired, .undeliverable, .rejected: "undelivered"
    }
  }
}

extension Call {
  fileprivate func statusName(after elapsed: Duration) -> String {
    guard elapsed >= settledAfter else { return "ringing" }
    switch result {
    case .answered, .voicemail, .hungUp: return elapsed < endsAfter ? "in-progress" : "completed"
    case .busy, .declined: return "busy"
    case .noAnswer: return "no-answer"
    case .unreachable: return "failed"
    }
  }
}
