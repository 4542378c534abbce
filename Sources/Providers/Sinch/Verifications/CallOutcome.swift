import Domain

/// What a status tells about a call. Source: contract 5 and 8.
struct CallOutcome {
  let isComplete: Bool
  /// Nil while it rings.
  let result: String?
  /// How long the call was answered, in seconds.
  let duration: Int

  /// `call` is nil if the network has not placed it.
  init(of message: Message, _ call: Call?, at now: Timestamp) {
    let end = message.receipts.last?.after ?? .zero
    guard message.submittedAt + end <= now else {
      (isComplete, result, duration) = (false, nil, 0)
      return
    }
    isComplete = true
    result = call.map { Self.word(for: $0.result) } ?? "FAILED"
    duration = call.map { $0.result.isTaken ? ($0.endsAfter - end).wholeSeconds : 0 } ?? 0
  }

  private static func word(for result: CallPlan.Result) -> String {
    switch result {
    case .answered: "COMPLETED"
    case .hungUp, .voicemail: "ANSWERED"
    case .busy: "BUSY"
    case .noAnswer: "NO_ANSWER"
    case .declined: "CANCEL"
    case .unreachable: "FAILED"
    }
  }
}
