/// What the core reports to the provider that it happened for: at once and in the same transaction, so whatever
/// the provider makes of it is undone together with it.
package enum Notice: Equatable, Sendable {
  /// A person has texted a sender; with what that sender wrote to the handset last, if it did.
  case reply(Message, answering: Message?)
}

/// A provider as far as the core talks to it.
package struct Listener {
  /// The provider's name, as its messages and verifications have it.
  package let name: String
  /// Takes notice of what happened in a sandbox.
  package let heed: (Notice, Sandbox) throws -> Void

  /// A listener from its parts.
  package init(name: String, heed: @escaping (Notice, Sandbox) throws -> Void) {
    self.name = name
    self.heed = heed
  }
}

extension Sandbox {
  /// Reports to a provider; to all of them where nobody knows whom it concerns.
  func report(_ notice: Notice, to provider: String?) throws {
    for listener in listeners where provider == nil || listener.name == provider {
      try listener.heed(notice, self)
    }
  }
}
