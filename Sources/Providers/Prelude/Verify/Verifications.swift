import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/verification`. Source: contract 3 and 4.

func createVerification(_ call: Call) throws -> Response {
  let form = try VerificationForm(call.request.json)
  try call.refuseUnknown(form.options)
  try form.refuseGated(call.settings)
  let target = try form.target.target(call.settings)
  try call.rejectUnsafeNumber(target)
  let creation = try Creation(call, form, target)
  try creation.refuseOnPurpose()
  if let reason = try creation.blockReason() { return try creation.block(for: reason) }
  return try creation.start()
}

extension Call {
  /// The vendor's words for a number that the sandbox is not to touch. Source: `carrier.md` 4.3.
  fileprivate func rejectUnsafeNumber(_ target: Target) throws(Problem) {
    guard let number = target.number, !sandbox.numbers.accepts(number, provider: PreludeProvider.name) else {
      return
    }
    throw Problem(.invalidPhoneNumber, param: "target.value")
      .because(
        "\(number.masked) is not kept free for tests, and the sandbox takes no other numbers (--numbers)")
  }
}

extension Creation {
  /// Refuses what a scenario says is refused. Source: contract 16.1.
  fileprivate func refuseOnPurpose() throws {
    if let refusal = outcome.refusal {
      let problem = refusal.because("the scenario \(outcome.rawValue)")
      throw outcome == .tooManyAttempts ? problem.unrepeated(call.settings) : problem
    }
    if outcome == .flakyBefore { try refuseTwice() }
  }

  /// 503 twice, counted by target; the third request finds nothing, and the count begins anew.
  private func refuseTwice() throws {
    let section = RecordStore.Section(provider: PreludeProvider.name, kind: "flaky")
    let count = try call.sandbox.records.find(target.destination, in: section).flatMap { Int($0.record) } ?? 0
    guard count < 2 else {
      _ = try call.sandbox.records.delete(target.destination, in: section)
      return
    }
    try call.sandbox.records.save(Array("\(count + 1)".utf8), under: target.destination, of: "", in: section)
    throw Problem.unavailable.because("flaky_before: refusal \(count + 1) of 2")
  }

  /// Why nothing is to be sent, the account's lists first. Source: contract 11.3, 8.
  fileprivate func blockReason() throws -> BlockReason? {
    if window.list == .block { return .inBlockList }
    let reason = try reasonByRule()
    return window.list == .allow && reason?.isOfFraudRules == true ? nil : reason
  }

  /// The same but for the lists.
  private func reasonByRule() throws -> BlockReason? {
    let served = form.options.method == .voice
    if let reason = outcome.blockReason, outcome != .shadowBlocked,
      !(served && reason == .invalidPhoneLine)
    {
      return reason
    }
    if window.isTest { return nil }
    if let number = target.number, !served, !call.hasOwnScenario,
      try !call.sandbox.subscribers[number].lineType.takesMessages
    {
      return .invalidPhoneLine
    }
    if try isDispatchStale() { return .expiredSignature }
    return try isRepeated() ? .repeatedAttempts : nil
  }

  /// Whether the target had as many windows within an hour as the setting allows. Source: contract 4.3.
  private func isRepeated() throws -> Bool {
    guard call.settings.repeatedAttempts > 0, open == nil else { return false }
    let since = call.sandbox.clock.now - .seconds(3600)
    let recent = try call.sandbox.verifications.list(
      PreludeProvider.name, of: target.destination, before: .max, limit: 2 * call.settings.repeatedAttempts)
    let windows = recent.filter { $0.state != .denied && $0.createdAt > since }
    return windows.count >= call.settings.repeatedAttempts
  }
}

extension Subscriber.LineType {
  /// Whether a message can reach such a line.
  fileprivate var takesMessages: Bool {
    switch self {
    case .landline, .tollFree, .premium, .sharedCost, .voicemail, .uan: false
    default: true
    }
  }
}
