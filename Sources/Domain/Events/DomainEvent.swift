package import JSON
package import Numbers

/// An event that a provider handles at once and in the same transaction, so that its changes are undone with
/// the event.
package enum DomainEvent: Equatable, Sendable {
  /// A person has sent a text; `answering` is the sender's latest message to the handset.
  case reply(Message, answering: Message?)
  /// The delivery of a message has failed now, or the person has hung up; only for messages with
  /// `reportsLoss` or `reportsHangUp`.
  case lost(Message)
  /// The carrier has delivered a message that it held; the message has new receipts.
  case released(Message)
  /// A number has lost its holder: it is out of service, or another person's from now on.
  case abandoned(PhoneNumber)
  /// A line's record was changed by an event or a request.
  case lineChanged(from: Subscriber, to: Subscriber)
  /// A challenge was answered, at its `answeredAt`.
  case answered(Challenge)
  /// An app has confirmed the push of a challenge.
  case marked(Challenge, Push.Mark)
  /// A step has started, at its `begunAt`; the provider sends its message.
  case stepBegun(Step, of: Verification)
  /// A step has failed, at its `changedAt`; the next one starts now.
  case stepFailed(Step, of: Verification)
  /// A verification has ended, at its `updatedAt`.
  case ended(Verification)
  /// A conversation continues, at the time for which its provider has asked; `step` is the provider's.
  case callContinues(Message, step: Int)
  /// The person has pressed keys for which the provider of a conversation waits.
  case keysPressed(String, during: Message)
  /// A webhook has ended: it was delivered, or will never be. The answer is that of the attempt which has
  /// ended it, in full; nil without one. A replay can end it again.
  case webhookEnded(Webhook, WebhookAnswer?)
  /// A provider's own work on the record with an ordinal is due, of which `after` pieces are done: see
  /// `Agenda.Work.goOn`.
  case workDue(on: Int, after: Int)
}

/// The core's callbacks to a provider.
package struct ProviderHooks {
  package let name: String
  package let handleEvent: (DomainEvent, Sandbox) throws -> Void
  /// True if the data of a push are for this provider's SDK on the handset.
  package var ownsPushPayload: (Texts) -> Bool = { _ in false }
  /// The requests of the provider's SDK on a virtual handset. Nil if registering an app and answering a
  /// challenge need no request.
  package var mobileSDK: MobileSDK?
  /// Nil if the app's back end gives the SDK on a real phone everything.
  package var appSetup: AppSetup?
  /// Nil: the provider is no push gateway.
  package var sendPush: SendPush?
  /// Nil: the provider has no such request.
  package var testCode: TestCode?
  /// True if the provider receives texts that people send to this number or name, also from those to whom it
  /// has not written.
  package var receivesTexts: (_ receiver: String, Sandbox) throws -> Bool = { _, _ in false }
  /// The statuses that it shows for messages and calls.
  package var deliveryStatuses: () -> [ProviderStatus] = { [] }
  /// Nil: the operator's authorization server knows none of the provider's applications.
  package var findNetworkClient: FindNetworkClient?
  /// Which fields of its requests and answers are secret.
  package var secretNames = SecretNames.common

  package init(name: String, handleEvent: @escaping (DomainEvent, Sandbox) throws -> Void) {
    self.name = name
    self.handleEvent = handleEvent
  }

  /// The request by which an app has a code sent to a number.
  package typealias TestCode = @Sendable (PhoneNumber, Sandbox) throws -> AppRequest
  /// The provider's application with an id; nil if there is none.
  package typealias FindNetworkClient = @Sendable (_ id: String, Sandbox) throws -> NetworkClient?
}

/// An application of a provider that resells the operator's APIs: it is a client of the operator too.
package struct NetworkClient: Equatable, Sendable {
  package let id: String
  /// In PEM; nil for the sandbox's own key.
  package let publicKey: String?
  /// Where browsers may be sent; nil: where those of other clients may.
  package let redirectURIs: [String]?

  package init(id: String, publicKey: String?, redirectURIs: [String]?) {
    self.id = id
    self.publicKey = publicKey
    self.redirectURIs = redirectURIs
  }
}

extension Sandbox {
  /// The application of any provider that is a client of the operator, by its id.
  package func networkClient(_ id: String) throws -> NetworkClient? {
    for hook in shared.hooks {
      if let client = try hook.findNetworkClient?(id, self) { return client }
    }
    return nil
  }

  /// The name of the provider whose SDK reads the data of a push; nil for an app's own data.
  package func providerOwningPush(_ data: Texts) -> String? {
    shared.hooks.first { $0.ownsPushPayload(data) }?.name
  }

  /// Reports an event to a provider; nil: to all.
  func report(_ event: DomainEvent, to provider: String?) throws {
    for hook in shared.hooks where provider == nil || hook.name == provider {
      try hook.handleEvent(event, self)
    }
  }
}
