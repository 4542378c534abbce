import Domain
import ProviderKit

/// How a message or call fares, step by step, in the vendor's numbers: what is said of it when asked, and when
/// there is nothing more to say. Source: contract 7.2, 7.4 and 14.
struct Course {
  /// What is said of it from a time on.
  struct Step: Equatable {
    /// From when on.
    let at: Timestamp
    /// `status.code`.
    let code: Int
    /// Whether it is the last word.
    let isFinal: Bool
  }

  /// In order; the first is of the time at which the carrier got it.
  private let steps: [Step]

  /// The course of a message; where it is a call, that call's. Source: contract 7.4 for the order of numbers.
  init(of message: Message, in sandbox: Sandbox) throws {
    if message.channel == .call {
      steps = Self.steps(of: message, try sandbox.calls.find(message.ordinal))
    } else {
      steps = Self.steps(of: message)
    }
  }

  /// What is said of it at a time.
  func step(at time: Timestamp) -> Step { steps.last { $0.at <= time } ?? steps[0] }

  /// The last word; nil where there never is one.
  var end: Step? { steps.first(where: \.isFinal) }

  private static func steps(of message: Message) -> [Step] {
    // Without a receipt its fate is given up at one of these times.
    let silences = [Duration.zero, .seconds(1), .seconds(60)].map { message.submittedAt + $0 }
    let times = silences + message.receipts.all.map { message.submittedAt + $0.after }
    return times.sorted().reduce(into: []) { steps, time in
      let delivery = Delivery(of: message, at: time)
      guard steps.last?.code != delivery.sms else { return }
      steps.append(Step(at: time, code: delivery.sms, isFinal: delivery.isFinal))
    }
  }

  private static func steps(of message: Message, _ call: Domain.Call?) -> [Step] {
    guard let last = message.receipts.all.last else {
      return [Step(at: message.submittedAt, code: 103, isFinal: false)]
    }
    let code = call.map { Self.code(of: $0.result) } ?? (last.error == Ending.blockedError ? 130 : 106)
    return [
      Step(at: message.submittedAt, code: 103, isFinal: false),
      Step(at: message.submittedAt + last.after, code: code, isFinal: true),
    ]
  }

  private static func code(of result: CallPlan.Result) -> Int {
    switch result {
    case .answered, .hungUp, .voicemail: 100
    case .noAnswer, .declined: 101
    case .busy: 107
    case .unreachable: 106
    }
  }
}
