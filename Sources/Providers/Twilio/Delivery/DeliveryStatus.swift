import ProviderKit

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
    if message.channel == .call {
      let elapsed = now - message.submittedAt
      // A call that fails before it rings has only a receipt.
      let call = try sandbox.calls.find(message.ordinal)
      let usualName = call?.statusName(after: elapsed) ?? (receipt == nil ? "queued" : "failed")
      name = receipt?.providerStatus ?? usualName
      failure = nil
      changedAt = message.submittedAt + (call.map { min(elapsed, $0.endsAfter) } ?? receipt?.after ?? .zero)
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
