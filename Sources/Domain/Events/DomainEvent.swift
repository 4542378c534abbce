package import JSON

/// What the core reports to the provider that it happened for: at once and in the same transaction, so whatever
/// the provider makes of it is undone together with it.
package enum DomainEvent: Equatable, Sendable {
  /// A person has texted a sender; with what that sender wrote to the handset last, if it did.
  case reply(Message, answering: Message?)
  /// The carrier has given up a message of which its provider wanted to know; the clock shows when.
  case lost(Message)
  /// The carrier has delivered what it had held for a handset: what was planned for the message is off.
  case released(Message)
  /// A person has given up a number: it is out of service, or somebody else's from now on.
  case abandoned(PhoneNumber)
  /// A person has answered a challenge, at its `answeredAt`.
  case answered(Challenge)
  /// An app has told of the push that brought a challenge.
  case marked(Challenge, Push.Mark)
  /// It is the turn of a step, at its `begunAt`: whatever it sends is for the provider to send.
  case stepBegun(Step, of: Verification)
  /// A step has proven nothing, at its `changedAt`; the next one is about to begin.
  case stepFailed(Step, of: Verification)
  /// A verification has ended, at its `updatedAt`.
  case ended(Verification)
}

/// A provider as far as the core talks to it.
package struct ProviderHooks {
  /// The provider's name, as its messages and verifications have it.
  package let name: String
  /// Takes notice of what happened in a sandbox.
  package let handleEvent: (DomainEvent, Sandbox) throws -> Void
  /// True if the data of a push are for this provider's SDK on the handset.
  package let ownsPushPayload: (Texts) -> Bool

  package init(
    name: String, ownsPushPayload: @escaping (Texts) -> Bool = { _ in false },
    handleEvent: @escaping (DomainEvent, Sandbox) throws -> Void
  ) {
    self.name = name
    self.handleEvent = handleEvent
    self.ownsPushPayload = ownsPushPayload
  }
}

extension Sandbox {
  /// The name of the provider whose SDK reads the data of a push; nil for an app's own data.
  package func providerOwningPush(_ data: Texts) -> String? {
    hooks.first { $0.ownsPushPayload(data) }?.name
  }

  /// Reports to a provider; to all of them where nobody knows whom it concerns.
  func report(_ notice: DomainEvent, to provider: String?) throws {
    for hook in hooks where provider == nil || hook.name == provider {
      try hook.handleEvent(notice, self)
    }
  }
}
