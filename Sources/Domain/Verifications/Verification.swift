/// The process of proving that a person controls a destination.
package struct Verification: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case pending
    case approved
    /// By the person, or before anything was sent.
    case denied
    /// By the app.
    case canceled
    case expired
    /// Locked by failed checks.
    case exhausted
  }

  package let ordinal: Int
  package let claim: Claim
  /// Its number among the verifications of this destination and provider, from 1. The code depends on it.
  package let series: Int
  /// The channel of the last attempt.
  package var channel: Channel
  package var state: State
  /// The code of the last attempt; empty when no code is valid.
  package var code: String
  /// The number of checks so far.
  package var checks: Int
  package let createdAt: Timestamp
  package var updatedAt: Timestamp
  /// A later attempt can move it.
  package internal(set) var expiresAt: Timestamp
  /// Oldest first.
  package var attempts: Attempts
  /// Provider data: a JSON object that the core does not read.
  package let details: String

  package func isPending(at time: Timestamp) -> Bool { state == .pending && time < expiresAt }

  /// True for the verification's code and for the codes of its attempts.
  package func accepts(_ code: String) -> Bool {
    !code.isEmpty && (code == self.code || attempts.accepts(code))
  }

  /// Why there is no valid code, when codes are valid for a limited time after each attempt; nil if there is
  /// one.
  func missingCodeReason(validity: Duration, at time: Timestamp) -> MissingReason? {
    guard let sent = attempts.all.last(where: { $0.channel.carriesCode }) else { return .notSent(self) }
    let end = sent.sentAt + validity
    return time < end ? nil : .codeExpired(self, since: end)
  }

  /// True if too many checks failed and the lifetime has not ended.
  package func isLocked(at time: Timestamp) -> Bool { state == .exhausted && time < expiresAt }
}

/// The claim that a person controls `destination`, made by an owner at a provider.
package struct Claim: Hashable, Sendable {
  package let provider: String
  /// Who asks, within the provider: the id of a service or an account.
  package let owner: String
  /// A phone number or an email address.
  package let destination: String

  package init(provider: String, owner: String, destination: String) {
    self.provider = provider
    self.owner = owner
    self.destination = destination
  }
}

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

  private static func end(of verification: Verification) -> String {
    switch verification.state {
    case .approved: "the verification was approved at \(verification.updatedAt.iso8601)"
    case .denied: "the verification was denied at \(verification.updatedAt.iso8601)"
    case .canceled: "the verification was canceled at \(verification.updatedAt.iso8601)"
    case .exhausted: "the verification reached its check limit at \(verification.updatedAt.iso8601)"
    case .pending, .expired: "the verification expired at \(verification.expiresAt.iso8601)"
    }
  }
}
