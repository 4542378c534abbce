package import Basics

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
  package internal(set) var details: ProviderDetails

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
