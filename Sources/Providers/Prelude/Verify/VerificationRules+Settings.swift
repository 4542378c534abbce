import Domain

extension VerificationRules {
  /// The limits of a verification.
  init(_ settings: Settings, codeLength: Int) {
    self.init()
    self.codeLength = codeLength
    lifetime = .seconds(settings.windowSeconds)
    sendLimit = settings.maxAttempts
    sendWindow = .seconds(2 * 86_400)
    checkLimit = settings.maxChecks
    codes = settings.codes == .perAttempt ? .perAttempt : .same
    refusesStartWhileLocked = false
  }
}
