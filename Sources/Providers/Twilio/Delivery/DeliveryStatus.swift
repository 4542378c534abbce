import Domain

/// The delivery status of an attempt's message or call by now. Source: contract 6.
struct DeliveryStatus {
  /// A message's status or a call's.
  let name: String
  let failure: MessageStatus.Failure?
  /// The time of the last change of the status.
  let changedAt: Timestamp

  init(of message: Message, in sandbox: Sandbox) throws {
    let now = sandbox.clock.now
    let receipt = message.receipts(by: now).last
    if let call = try sandbox.calls.find(message.ordinal) {
      let elapsed = now - message.submittedAt
      name = receipt?.providerStatus ?? call.statusName(after: elapsed)
      failure = nil
      changedAt = message.submittedAt + min(elapsed, call.endsAfter)
      return
    }
    let status = receipt.map { MessageStatus($0) } ?? MessageStatus(.sent)
    (name, failure) = (status.name.rawValue, status.failure)
    changedAt = message.submittedAt + (receipt?.after ?? .zero)
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
