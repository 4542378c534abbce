import ProviderKit

/// What a page or a story is about: a verification, or something else that a provider checks.
struct Subject {
  enum Origin {
    case verification(Verification)
    /// A sign-in that a person approves on a device, without a verification.
    case challenge(Challenge)
    /// A silent check of a number, without a verification.
    case session(SilentSession)
    /// A sign-in by other means, such as a passkey.
    case signIn(SignIn)
    /// A text or a call that belongs to none of these.
    case message(Message)
  }

  let origin: Origin
  /// The ordinal in the address of its page.
  let ordinal: Int
  let provider: String
  /// A phone number, an email address, or another id of the person at the provider.
  let destination: String
  /// Nil for a sign-in without one.
  let channel: Channel?
  let createdAt: Timestamp
  let expiresAt: Timestamp

  /// Nil if nothing has this ordinal.
  init?(_ ordinal: Int, in sandbox: Sandbox, providers: [any Provider.Type]) throws {
    if let verification = try sandbox.verifications.find(ordinal) {
      self.init(.verification(verification))
    } else if let challenge = try sandbox.challenges.find(ordinal) {
      self.init(.challenge(challenge))
    } else if let session = try sandbox.silentSessions.all(of: ordinal).first {
      self.init(.session(session))
    } else if let signIn = try SignIn(ordinal, in: sandbox, providers) {
      self.init(.signIn(signIn))
    } else if let message = try sandbox.messages.find(ordinal), message.isStory {
      self.init(.message(message))
    } else {
      return nil
    }
  }

  init(_ origin: Origin) {
    self.origin = origin
    switch origin {
    case .verification(let verification):
      let claim = verification.claim
      (ordinal, provider, destination) = (verification.ordinal, claim.provider, claim.destination)
      (channel, createdAt, expiresAt) = (verification.channel, verification.createdAt, verification.expiresAt)
    case .challenge(let challenge):
      (ordinal, provider, destination) = (challenge.ordinal, challenge.provider, challenge.holder)
      (channel, createdAt, expiresAt) = (.push, challenge.createdAt, challenge.expiresAt)
    case .session(let session):
      (ordinal, provider) = (session.draft.verification, session.draft.provider)
      destination = session.number?.description ?? ""
      (channel, createdAt, expiresAt) = (.silent, session.createdAt, session.expiresAt)
    case .signIn(let signIn):
      (ordinal, provider, destination) = (signIn.ordinal, signIn.provider, signIn.person)
      (channel, createdAt, expiresAt) = (nil, signIn.createdAt, signIn.expiresAt)
    case .message(let message):
      (ordinal, provider, destination) = (message.ordinal, message.provider, message.destination)
      (channel, createdAt, expiresAt) = (message.channel, message.submittedAt, message.submittedAt)
    }
  }

  var path: String { "/console/verifications/\(ordinal)" }

  var verification: Verification? {
    if case .verification(let verification) = origin { verification } else { nil }
  }

  /// The destination as people write it.
  var shownDestination: String { PhoneNumber(destination)?.internationalFormat ?? destination }

  /// The channel, or what the person signs in with.
  var way: String {
    if case .signIn(let signIn) = origin { signIn.way } else { channel?.title ?? "" }
  }

  func state(at time: Timestamp) -> Verification.State {
    switch origin {
    case .verification(let verification): verification.state(at: time)
    case .challenge(let challenge): Verification.State(challenge.state(at: time))
    case .signIn(let signIn): Verification.State(signIn.state)
    case .session(let session):
      switch session.verdict {
      case .matched?: .approved
      case _?: .denied
      case nil: session.status(at: time) == .live ? .pending : .expired
      }
    // What the app makes of it is not known.
    case .message(let message):
      message.state(at: time).isFailure ? .denied : message.arrival(by: time) == nil ? .canceled : .approved
    }
  }

  /// Its state in a word.
  func word(at time: Timestamp) -> String {
    if case .message(let message) = origin { message.state(at: time).word } else { state(at: time).rawValue }
  }

  /// The heading of its page.
  var title: String {
    if case .message = origin { return "\(way.capitalizedFirst) to \(shownDestination)" }
    return "Verification of \(shownDestination)"
  }
}

extension SignIn {
  fileprivate init?(_ ordinal: Int, in sandbox: Sandbox, _ providers: [any Provider.Type]) throws {
    for provider in providers {
      guard let signIn = try provider.signIn(ordinal, in: sandbox) else { continue }
      self = signIn
      return
    }
    return nil
  }

  /// The most records of a request that are looked at for the sign-in that it has started.
  private static let searchLimit = 1_000

  /// The one that a request has started.
  init?(startedBy exchange: Journal.Exchange, in sandbox: Sandbox, _ providers: [any Provider.Type]) throws {
    let owner = providers.first { $0.name == exchange.owner }
    guard let owner, let route = exchange.route, owner.signInRoutes.contains(route) else { return nil }
    let effects = exchange.effects
    for ordinal in Range(effects.newestBefore, upTo: effects.newestAfter).prefix(Self.searchLimit) {
      guard let signIn = try owner.signIn(ordinal + 1, in: sandbox) else { continue }
      self = signIn
      return
    }
    return nil
  }
}

extension Verification {
  /// Its state, also after the end of its time, which nothing needs to record.
  func state(at time: Timestamp) -> State { state == .pending && !isPending(at: time) ? .expired : state }

  /// True if an attempt may have sent the message. Under a frozen clock, attempts of several verifications
  /// may; then the newest has.
  fileprivate func mayHaveSent(_ message: Message) -> Bool {
    message.ordinal > ordinal && message.provider == claim.provider
      && message.destination == claim.destination
      && attempts.all.contains { $0.channel == message.channel && $0.sentAt == message.submittedAt }
      && mayHaveHad(message.code)
  }

  /// One that has ended may have forgotten its codes.
  private func mayHaveHad(_ code: String?) -> Bool {
    let codes = attempts.all.compactMap(\.code) + (self.code.isEmpty ? [] : [self.code])
    return code.map { codes.isEmpty || codes.contains($0) } ?? true
  }
}

extension Sequence<Verification> {
  /// The one that has sent the message; nil if none has. Of verifications of its destination, the newest
  /// first.
  func sender(of message: Message) -> Verification? { first { $0.mayHaveSent(message) } }
}

extension Verification.State {
  fileprivate init(_ state: Challenge.State) {
    self =
      switch state {
      case .pending: .pending
      case .approved: .approved
      case .denied: .denied
      case .expired: .expired
      }
  }

  /// True for an end without an approval that the app did not choose.
  var isFailure: Bool { [.denied, .expired, .exhausted].contains(self) }

  /// The classes of the pill that shows it.
  var pill: String {
    switch self {
    case .pending: "pill live"
    case .approved: "pill ok"
    case .canceled: "pill"
    case .denied, .expired, .exhausted: "pill bad"
    }
  }
}
