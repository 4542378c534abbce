/// A question put to a device: is it you? A push brings it to the handset, or the handset scans it.
package struct Challenge: Equatable, Sendable {
  /// What has become of it.
  package enum State: String, CaseIterable, Sendable {
    /// Nobody has answered.
    case pending
    /// The person said yes.
    case approved
    /// The person said no.
    case denied
    /// Its time ended first, or it was withdrawn.
    case expired
  }

  /// What a provider asks.
  package struct Draft: Sendable {
    /// The provider that asks.
    package let provider: String
    /// The provider's own id of what it asks about.
    package let reference: String
    /// The phone number of the handset, or whatever else the provider knows the person by.
    package let holder: String
    /// How long it may be answered.
    package let lifetime: Duration
    /// The device that is asked; nil: whichever scans the question first.
    package var device: Device?
    /// The push that brings it; nil: none does.
    package var push: (message: MessageDraft, payload: String)?
    /// What the person answers unasked, where their record does not say.
    package var habit: Habit?

    /// A question.
    package init(provider: String, reference: String, holder: String, lifetime: Duration) {
      self.provider = provider
      self.reference = reference
      self.holder = holder
      self.lifetime = lifetime
    }
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// The provider that asks.
  package let provider: String
  /// The provider's own id of what it asks about.
  package let reference: String
  /// Whom it is put to.
  package let holder: String
  /// The ordinal of the device that is asked; nil until one scans it.
  package internal(set) var device: Int?
  /// The ordinal of the push that brought it.
  package let push: Int?
  /// When it was asked.
  package let createdAt: Timestamp
  /// When it can be answered no more.
  package internal(set) var expiresAt: Timestamp
  /// What the person said; nil: nothing yet.
  package internal(set) var answer: Answer?
  /// When they said it.
  package internal(set) var answeredAt: Timestamp?
  /// What the person answers unasked, where their record does not say.
  let habit: Habit?

  /// What a person can say.
  package enum Answer: String, CaseIterable, Sendable {
    /// Yes, it is me.
    case approve
    /// No.
    case deny
  }

  /// What has become of it by a time.
  package func state(at time: Timestamp) -> State {
    switch answer {
    case .approve: .approved
    case .deny: .denied
    case nil: time < expiresAt ? .pending : .expired
    }
  }
}

/// What a person does when a question comes up on their handset.
package enum Habit: String, CaseIterable, Sendable {
  /// They approve.
  case approve
  /// They deny.
  case deny
  /// They do nothing.
  case ignore

  /// What they say; nil: nothing.
  var answer: Challenge.Answer? { Challenge.Answer(rawValue: rawValue) }
}
