package import Basics

/// Why there is no verification to check a code against. Shown in the journal, because few providers tell.
package enum MissingReason: Equatable, Sendable, CustomStringConvertible {
  case neverStarted
  case ended(Verification)
  /// The verification is pending, but no code was sent yet.
  case notSent(Verification)
  /// The verification is pending, but its last code is no longer valid.
  case codeExpired(Verification, since: Timestamp)

  package var description: String {
    switch self {
    case .neverStarted: "no verification was started for this destination"
    case .notSent(let verification):
      "no code was sent yet; the current channel is \(verification.channel.rawValue)"
    case .codeExpired(_, let end): "the last code expired at \(end.iso8601)"
    case .ended(let verification): Self.end(of: verification)
    }
  }

  /// For the journal: the same, with what to change.
  package var reason: String { description.advising(change) }

  private static func end(of verification: Verification) -> String {
    switch verification.state {
    case .approved: "the verification was approved at \(verification.updatedAt.iso8601)"
    case .denied: "the verification was denied at \(verification.updatedAt.iso8601)"
    case .canceled: "the verification was canceled at \(verification.updatedAt.iso8601)"
    case .exhausted: "the verification reached its check limit at \(verification.updatedAt.iso8601)"
    case .pending, .expired: "the verification expired at \(verification.expiresAt.iso8601)"
    }
  }

  private var change: String {
    switch self {
    case .neverStarted:
      "Start a verification first, or name the one that was started: its destination or id, by the same account."
    case .notSent: "Wait for the message with the code, or go on to the next channel."
    case .codeExpired: "Start a new verification, and check its code sooner."
    case .ended(let verification):
      switch verification.state {
      case .approved: "Start a new verification: a code is accepted once."
      case .denied, .canceled: "Start a new verification."
      case .exhausted: Verification.restart
      case .pending, .expired:
        "Start a new verification, and check its code within "
          + "\((verification.expiresAt - verification.createdAt).wholeSeconds) s."
      }
    }
  }
}
