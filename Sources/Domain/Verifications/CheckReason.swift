import Basics

extension Verification {
  /// What to do when no check is left.
  static let restart = "Start a new verification: this one accepts no code any more."

  /// Why no code of a locked verification is accepted, and no start of another one, for the journal.
  package func lockReason(by rules: VerificationRules) -> String {
    MissingReason.ended(self).description.advising(restart(by: rules))
  }

  fileprivate func restart(by rules: VerificationRules) -> String {
    rules.refusesStartWhileLocked
      ? "Start a new verification at \(expiresAt.iso8601) or later: until then, the lock accepts no code."
      : Self.restart
  }
}

extension Verifications.CheckOutcome {
  /// Why a code was not accepted, and what to change, for the journal; nil if it was.
  func reason(by rules: VerificationRules, wasLocked: Bool) -> String? {
    switch self {
    case .approved: return nil
    case .nothingPending(let why): return why.reason
    case .checksExhausted(let verification) where wasLocked || verification.checks > rules.checkLimit:
      return verification.lockReason(by: rules)
    case .wrongCode(let verification), .checksExhausted(let verification):
      guard rules.checkLimit < .max else { return "wrong code".advising(Self.nextCode) }
      let check = "wrong code: check \(verification.checks) of \(rules.checkLimit)"
      let left = rules.checkLimit - verification.checks
      guard left > 0 else {
        return "\(check); the verification is locked now, also for the right code".advising(
          verification.restart(by: rules))
      }
      return check.advising("\(Self.nextCode) Checks that are left: \(left).")
    }
  }

  private static let nextCode = "Enter the code of the newest message."
}
