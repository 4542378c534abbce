import Domain

/// How far a message or a call has come. Source: contract 6.
struct DeliveryStatus {
  /// A message's status or a call's.
  let name: String
  /// Source: `carrier.md` 1.2.
  let errorCode: Int?
  /// When the status began.
  let changedAt: Timestamp

  init(of message: Message, in sandbox: Sandbox) throws {
    let now = sandbox.clock.now
    if let call = try sandbox.calls.find(message.ordinal) {
      let elapsed = now - message.submittedAt
      name = call.statusName(after: elapsed)
      errorCode = nil
      changedAt = message.submittedAt + min(elapsed, call.endsAfter)
      return
    }
    let receipt = message.receipts(by: now).last
    changedAt = message.submittedAt + (receipt?.after ?? .zero)
    name = (receipt?.state ?? .accepted).messageStatus
    errorCode = receipt?.errorCode
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

extension DeliveryReceipt {
  /// Nil without an error. Source: `carrier.md` 1.2.
  var errorCode: Int? {
    guard state.isFailure else { return nil }
    return switch (state, error) {
    case (_, 60): 30003
    case (_, 1): 30005
    case (_, 11): 30006
    case (_, 13): 30004
    case (.rejected, _): 30007
    default: 30008
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
