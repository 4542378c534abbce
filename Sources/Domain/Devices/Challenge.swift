package import Basics

/// A request for a person's approval on a device. A push brings it to the handset, or the handset scans it.
package struct Challenge: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    case pending
    case approved
    case denied
    /// Its lifetime ended, or it was withdrawn.
    case expired
  }

  package struct Draft: Sendable {
    package let provider: String
    /// The provider's id of the request that needs approval.
    package let reference: String
    /// The phone number of the handset, or another id of the person at the provider.
    package let holder: String
    package let lifetime: Duration
    /// Nil: the device that scans the challenge first.
    package var device: Device?
    /// Nil for a challenge that is scanned.
    package var push: (message: MessageDraft, payload: String)?
    /// The token that the provider knows; nil: the device's push token.
    package var pushToken: String?
    /// True if the device's app has asked for it. So it needs no push.
    package var isKnownToApp = false
    /// The person's reaction where their record names none.
    package var defaultReaction: PushReaction?

    package init(provider: String, reference: String, holder: String, lifetime: Duration) {
      self.provider = provider
      self.reference = reference
      self.holder = holder
      self.lifetime = lifetime
    }
  }

  package let ordinal: Int
  package let provider: String
  /// The provider's id of the request that needs approval.
  package let reference: String
  /// The phone number of the handset, or another id of the person at the provider.
  package let holder: String
  /// The ordinal of the device; nil until one scans the challenge.
  package internal(set) var device: Int?
  /// The ordinal of the push.
  package let push: Int?
  package let createdAt: Timestamp
  package internal(set) var expiresAt: Timestamp
  package internal(set) var answer: Answer?
  package internal(set) var answeredAt: Timestamp?
  /// The person's reaction where their record names none.
  let defaultReaction: PushReaction?

  package enum Answer: String, CaseIterable, Sendable {
    case approve
    case deny
  }

  package func state(at time: Timestamp) -> State {
    switch answer {
    case .approve: .approved
    case .deny: .denied
    case nil: time < expiresAt ? .pending : .expired
    }
  }
}

/// A person's automatic reaction to a challenge on their handset.
package enum PushReaction: String, CaseIterable, Sendable {
  case approve
  case deny
  case ignore
  /// The challenge waits for an answer by the control API.
  case manual

  /// Nil for `ignore` and `manual`.
  var answer: Challenge.Answer? { Challenge.Answer(rawValue: rawValue) }
}
