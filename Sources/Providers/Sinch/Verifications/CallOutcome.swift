import ProviderKit

/// What a status tells about a call. Source: contract 5 and 8.
struct CallOutcome {
  let isComplete: Bool
  /// Nil while it rings.
  let result: String?
  /// How long the call was answered, in seconds, which are paid.
  let duration: Int

  /// `call` is nil if the network has not placed it.
  init(of message: Message, _ call: Call?, at now: Timestamp) {
    let elapsed = now - message.submittedAt
    let settled = call?.settledAfter ?? message.receipts.last?.after ?? .zero
    let end = call?.endsAfter ?? settled
    let isOver = end <= elapsed
    let word = call.map { isOver ? Self.word(for: $0.result) : "ANSWERED" } ?? "FAILED"
    isComplete = isOver
    result = settled <= elapsed ? word : nil
    duration = (end - settled).wholeSeconds
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
