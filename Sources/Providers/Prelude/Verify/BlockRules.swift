import ProviderKit

/// The rules that block a verification: nothing is sent. Source: contract 11.3, 8.
struct BlockRules {
  private let creation: VerificationCreation
  private let sandbox: Sandbox
  private let settings: Settings

  init(_ creation: VerificationCreation) {
    self.creation = creation
    sandbox = creation.context.sandbox
    settings = creation.context.settings
  }

  /// Nil if no rule applies. The account's lists come first.
  func reason() throws -> BlockReason? {
    if creation.stored.list == .block { return .inBlockList }
    let reason = try reasonWithoutLists()
    return creation.stored.list == .allow && reason?.isFraudRule == true ? nil : reason
  }

  private func reasonWithoutLists() throws -> BlockReason? {
    let (scenario, target) = (creation.scenario, creation.target)
    let isVoice = creation.input.options.method == .voice
    if let reason = scenario.blockReason, scenario != .shadowBlocked,
      !(isVoice && reason == .invalidPhoneLine)
    {
      return reason
    }
    if creation.stored.isTest { return nil }
    if let number = target.number, try sandbox.numbers.validity(of: number) != .valid {
      return .invalidPhoneNumber
    }
    if let number = target.number, !isVoice, !TestScenario.isChosen(by: creation.context.request),
      try !sandbox.subscribers[number].lineType.receivesMessages
    {
      return .invalidPhoneLine
    }
    if try hasExpiredSignals() { return .expiredSignature }
    return try hasTooManyVerifications() ? .repeatedAttempts : nil
  }

  /// Source: contract 4.3.
  private func hasExpiredSignals() throws -> Bool {
    let dispatch = try creation.input.signals.dispatch(in: sandbox)
    return dispatch?.isExpired(settings, at: sandbox.clock.now) ?? false
  }

  /// True if the target has had as many verifications within an hour as the setting `repeatedAttempts`
  /// allows. Source: contract 4.3.
  private func hasTooManyVerifications() throws -> Bool {
    let limit = settings.repeatedAttempts
    guard limit > 0, creation.pending == nil else { return false }
    let since = sandbox.clock.now - .seconds(3600)
    let recent = try sandbox.verifications.list(
      PreludeProvider.name, of: creation.target.destination, before: .max, limit: 2 * limit)
    return recent.count { $0.state != .denied && $0.createdAt > since } >= limit
  }
}

extension LineType {
  fileprivate var receivesMessages: Bool {
    switch self {
    case .landline, .tollFree, .premium, .sharedCost, .voicemail, .uan: false
    default: true
    }
  }
}
