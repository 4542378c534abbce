import Domain

extension VerificationRules {
  /// The limits of a verification.
  init(_ settings: Settings, codeLength: Int) {
    self.init()
    self.codeLength = codeLength
    lifetime = .seconds(settings.ttlSeconds)
    checkLimit = settings.maxChecks
    sendLimit = settings.maxSends
    sendWindow = .seconds(settings.sendWindowSeconds)
  }
}
