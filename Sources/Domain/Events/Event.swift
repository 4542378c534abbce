/// Something that happened in a sandbox.
package struct Event: Equatable, Sendable {
  /// What happened.
  package enum Kind: String, Sendable {
    /// A verification began and its code was sent.
    case verificationStarted = "verification.started"
    /// A waiting verification's code was sent again.
    case verificationResent = "verification.resent"
    /// Its code was right.
    case verificationApproved = "verification.approved"
    /// The person said no.
    case verificationDenied = "verification.denied"
    /// The app called it off.
    case verificationCanceled = "verification.canceled"
    /// Its time ended.
    case verificationExpired = "verification.expired"
    /// It was checked too often.
    case verificationExhausted = "verification.exhausted"
    /// A message that was late reached its handset.
    case messageArrived = "message.arrived"

    init(ending state: Verification.State) {
      switch state {
      case .pending: self = .verificationStarted
      case .approved: self = .verificationApproved
      case .denied: self = .verificationDenied
      case .canceled: self = .verificationCanceled
      case .expired: self = .verificationExpired
      case .exhausted: self = .verificationExhausted
      }
    }
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// When it happened.
  package let at: Timestamp
  /// What happened.
  package let kind: Kind
  /// The provider concerned.
  package let provider: String
  /// The ordinal of what it happened to.
  package let subject: Int
  /// The phone number or email address concerned.
  package let destination: String
}
