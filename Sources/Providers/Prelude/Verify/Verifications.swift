import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/verification`. Source: contract 3 and 4.

func createVerification(_ context: RequestContext) throws -> Response {
  let input = try VerificationRequest(context.request.json)
  try context.requireKnownNames(input.options)
  try context.requireEnabled(input.options)
  let target = try input.target.validated(context.settings)
  try context.rejectUnsafeNumber(target)
  let creation = try VerificationCreation(context, input, target)
  try creation.throwScenarioError()
  if let reason = try creation.blockReason() { return try creation.block(for: reason) }
  return try creation.send()
}

extension RequestContext {
  /// Throws for a number that the sandbox does not accept. One that is only not allocated is blocked later.
  /// Source: contract 11.3; `carrier.md` 4.3.
  fileprivate func rejectUnsafeNumber(_ target: Target) throws {
    guard let number = target.number,
      let reason = try sandbox.numbers.refusal(of: number, provider: PreludeProvider.name),
      try sandbox.numbers.validity(of: number) != .invalidPrefix,
      try TestNumber.find(number, in: sandbox) == nil
    else { return }
    throw APIError(.invalidPhoneNumber, param: "target.value").because(reason)
  }
}

extension VerificationCreation {
  /// Source: contract 16.1.
  fileprivate func throwScenarioError() throws {
    if let error = scenario.error?.because("the scenario \(scenario.rawValue)") {
      throw scenario == .tooManyAttempts ? error.withoutRetry(context.settings) : error
    }
    if scenario == .flakyBefore { try failTwice() }
  }

  /// Answers two requests for a target with 503, lets the third pass, and starts over.
  private func failTwice() throws {
    let (records, key) = (context.sandbox.records, target.destination)
    let section = RecordStore.Section(provider: PreludeProvider.name, kind: "flaky")
    let count = try records.find(key, in: section).flatMap { Int($0.record) } ?? 0
    guard count < 2 else {
      _ = try records.delete(key, in: section)
      return
    }
    try records.save(Array("\(count + 1)".utf8), under: key, of: "", in: section)
    throw APIError.unavailable.because("flaky_before: error \(count + 1) of 2")
  }

  /// Why nothing is sent. The account's lists come first. Source: contract 11.3, 8.
  fileprivate func blockReason() throws -> BlockReason? {
    if stored.list == .block { return .inBlockList }
    let reason = try unlistedBlockReason()
    return stored.list == .allow && reason?.isFraudRule == true ? nil : reason
  }

  /// The same for a number that is on no list.
  private func unlistedBlockReason() throws -> BlockReason? {
    let isVoice = input.options.method == .voice
    if let reason = scenario.blockReason, scenario != .shadowBlocked,
      !(isVoice && reason == .invalidPhoneLine)
    {
      return reason
    }
    if stored.isTest { return nil }
    if let number = target.number, try context.sandbox.numbers.validity(of: number) != .valid {
      return .invalidPhoneNumber
    }
    if let number = target.number, !isVoice, !context.hasScenarioHeader,
      try !context.sandbox.subscribers[number].lineType.receivesMessages
    {
      return .invalidPhoneLine
    }
    if try isDispatchExpired() { return .expiredSignature }
    return try hasTooManyVerifications() ? .repeatedAttempts : nil
  }

  /// True if the target has had as many verifications within an hour as the setting `repeatedAttempts`
  /// allows. Source: contract 4.3.
  private func hasTooManyVerifications() throws -> Bool {
    let limit = context.settings.repeatedAttempts
    guard limit > 0, pending == nil else { return false }
    let since = context.sandbox.clock.now - .seconds(3600)
    let recent = try context.sandbox.verifications.list(
      PreludeProvider.name, of: target.destination, before: .max, limit: 2 * limit)
    return recent.count { $0.state != .denied && $0.createdAt > since } >= limit
  }
}

extension Subscriber.LineType {
  fileprivate var receivesMessages: Bool {
    switch self {
    case .landline, .tollFree, .premium, .sharedCost, .voicemail, .uan: false
    default: true
    }
  }
}
