/// The process of proving that somebody holds a destination.
package struct Verification: Equatable, Sendable {
  /// Where a verification is in its life.
  package enum State: String, Sendable {
    /// Waiting for its code.
    case pending
    /// Proven.
    case approved
    /// Refused: by the person, or before anything was sent.
    case denied
    /// Called off by the app.
    case canceled
    /// Out of time.
    case expired
    /// Checked too often.
    case exhausted
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// Who runs it, for whom, and to where.
  package let claim: Claim
  /// Its number among those of this destination with this provider, from 1: the code follows from it.
  package let series: Int
  /// How the code travelled last.
  package var channel: Channel
  /// Where it is in its life.
  package var state: State
  /// The secret digits, of the last sending where each has its own; empty where none are worth anything.
  package var code: String
  /// How many checks there were.
  package var checks: Int
  /// When it was started.
  package let createdAt: Timestamp
  /// When it changed last.
  package var updatedAt: Timestamp
  /// When its time ends.
  package let expiresAt: Timestamp
  /// The sendings of its code, oldest first.
  package var attempts: Attempts
  /// What the provider keeps with it: a JSON object that the core does not read.
  package let details: String

  /// Whether it waits for its code at this time.
  package func isLive(at time: Timestamp) -> Bool { state == .pending && time < expiresAt }

  /// Whether a code is right: that of the verification, or of any of its sendings.
  package func accepts(_ code: String) -> Bool {
    !code.isEmpty && (code == self.code || attempts.accept(code))
  }

  /// Whether checks have run out and its time has not ended.
  package func isLocked(at time: Timestamp) -> Bool { state == .exhausted && time < expiresAt }
}

/// What a verification claims: that somebody holds `destination`, for an owner at a provider.
package struct Claim: Hashable, Sendable {
  /// The provider's name.
  package let provider: String
  /// Whose verification it is within the provider: a service, an account.
  package let owner: String
  /// The phone number or email address.
  package let destination: String

  /// A claim from its parts.
  package init(provider: String, owner: String, destination: String) {
    self.provider = provider
    self.owner = owner
    self.destination = destination
  }
}

/// The limits of a verification.
package struct VerificationRules: Equatable, Sendable {
  /// Digits of a code.
  package var codeLength = 6
  /// How long it waits, from its start.
  package var lifetime = Duration.seconds(600)
  /// Checks that get an honest answer; the next one locks it.
  package var checkLimit = 5
  /// Sendings allowed within `sendWindow`.
  package var sendLimit = 5
  /// The span in which sendings are counted.
  package var sendWindow = Duration.seconds(600)
  /// Which code a further sending has.
  package var codes = Codes.same
  /// Whether one that was checked too often bars the destination until its time ends.
  package var lockBarsStart = true

  /// Which code a further sending has.
  package enum Codes: Sendable {
    /// That of the first.
    case same
    /// Its own; all of them are right as long as the verification waits.
    case perAttempt
  }

  /// Six digits, ten minutes, five checks, five sendings in ten minutes.
  package init() {}
}

/// Why no verification waits for a code: for the journal, since providers do not tell.
package enum Absence: Equatable, Sendable, CustomStringConvertible {
  /// There never was one.
  case neverStarted
  /// There was one, and this became of it.
  case ended(Verification)

  /// The sentence for the journal.
  package var description: String {
    guard case .ended(let verification) = self else { return "no verification was ever started" }
    return switch verification.state {
    case .approved: "approved at \(verification.updatedAt.iso8601)"
    case .denied: "denied at \(verification.updatedAt.iso8601)"
    case .canceled: "canceled at \(verification.updatedAt.iso8601)"
    case .exhausted: "check limit reached at \(verification.updatedAt.iso8601)"
    case .pending, .expired: "expired at \(verification.expiresAt.iso8601)"
    }
  }
}
