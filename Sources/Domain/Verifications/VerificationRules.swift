/// The limits of a verification, as its provider and its settings have them.
package struct VerificationRules: Equatable, Sendable {
  package var codeLength = 6
  /// From the start.
  package var lifetime = Duration.seconds(600)
  /// How long a code is valid after each attempt; the lifetime is extended to match. Nil: as long as the
  /// verification is pending.
  package var codeValidity: Duration?
  /// The check after the last allowed one locks the verification.
  package var checkLimit = 5
  /// True if the last allowed check already locks the verification when it fails.
  package var locksOnLastFailure = false
  /// True if a start while one is pending sends its code again; else each start is a new verification.
  package var resendsWhilePending = true
  /// Attempts allowed within `sendWindow`.
  package var sendLimit = 5
  package var sendWindow = Duration.seconds(600)
  package var codes = Codes.same
  /// True if a locked verification rejects new starts for its destination until its lifetime ends.
  package var refusesStartWhileLocked = true

  /// Which code a later attempt sends.
  package enum Codes: Sendable {
    /// The code of the first attempt.
    case same
    /// A new one. All of them are accepted while the verification is pending.
    case perAttempt
  }

  package init() {}
}
