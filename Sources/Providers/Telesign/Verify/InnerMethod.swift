import Domain
import JSON
import ProviderKit

/// One method of a verification, as retrievals and callbacks show it. Source: contract 4.5 and 4.7.
struct InnerMethod {
  let method: VerificationMethod
  let step: Step
  /// What can be said of it, and since when; nil before its turn.
  let report: (code: Int, at: Timestamp)?

  /// A method at a time; what became of its message is not told before the delay.
  init(
    _ method: VerificationMethod, _ step: Step, _ message: Message?, at now: Timestamp, delay: Duration
  ) {
    self.method = method
    self.step = step
    report =
      step.startedAt == nil
      ? nil : Self.end(of: step, message) ?? Self.progress(of: step, message, at: now, delay: delay)
  }

  /// Writes the members.
  func write(to json: inout JSONWriter) {
    json.member("method", method.rawValue)
    json.member("state", step.telesignState)
    guard let report else { return }
    json.member("err_code", report.code)
    json.member("err_msg", statusText(report.code))
    json.member("tried_on", step.startedAt?.microseconds)
    json.member("updated_on", report.at.microseconds)
    json.member("expires_on", step.endsAt?.microseconds)
  }

  /// Where it is over: the code of how it ended.
  private static func end(of step: Step, _ message: Message?) -> (code: Int, at: Timestamp)? {
    let code: Int? =
      switch step.state {
      case .verified: 3900
      case .rejected: 3904
      case .failed: code(of: step.failure ?? .timedOut, step, message)
      case .waiting, .skipped, .offered, .ongoing, .canceled: nil
      }
    return code.map { ($0, step.changedAt) }
  }

  private static func code(of failure: Step.Failure, _ step: Step, _ message: Message?) -> Int {
    switch failure {
    case .timedOut: step.timeout == nil ? 3908 : 3056
    case .undelivered: message.map { Delivery(of: $0, at: step.changedAt).omnichannel } ?? 3003
    case .unreachable: step.channel == .push ? 3055 : 3115
    case .mismatched: 4502
    case .denied: 3904
    }
  }

  /// While it is tried: what the handset or the carrier has said.
  private static func progress(
    of step: Step, _ message: Message?, at now: Timestamp, delay: Duration
  ) -> (code: Int, at: Timestamp) {
    if let receipt = step.receipt { return (receipt == .read ? 3005 : 3000, step.changedAt) }
    guard let message, now >= message.submittedAt + delay else { return (3901, step.changedAt) }
    let delivery = Delivery(of: message, at: now)
    guard delivery.isFinal else { return (3901, step.changedAt) }
    let after = message.receipts(by: now).last?.after ?? .zero
    return (delivery.omnichannel, max(message.submittedAt + max(after, delay), step.changedAt))
  }
}

extension Step {
  /// The vendor's word for where a method is. Source: contract 4.7.
  fileprivate var telesignState: String {
    switch state {
    case .waiting, .offered: "CREATED"
    case .ongoing: "ONGOING"
    case .failed: "FAILED"
    case .verified: "VERIFIED"
    case .skipped: "SKIPPED"
    case .rejected: "REJECTED"
    case .canceled: "CANCELED"
    }
  }
}
