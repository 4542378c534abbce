import Control
import ProviderKit

/// Everything that the sandbox knows about a verification, or about another subject, oldest first.
struct History {
  let subject: Subject
  private(set) var now: Timestamp
  /// The newest requests about it, of the app and of the phone.
  private(set) var exchanges: [Journal.Exchange] = []
  private(set) var messages: [Message] = []
  private(set) var sessions: [SilentSession] = []
  private(set) var challenges: [Challenge] = []
  private(set) var steps: [Step] = []
  private(set) var webhooks: [(webhook: Webhook, attempts: [WebhookAttempt])] = []
  /// Also those of the phone's line.
  private(set) var events: [Event] = []
  /// By the ordinals of their messages.
  private(set) var calls: [Int: Call] = [:]
  private(set) var pushes: [Int: Push] = [:]
  private(set) var notes: [Int: DeliveryNotes.Note] = [:]
  /// The network of the phone; nil if the destination is no phone number.
  let operatorName: String?
  /// True if all time in the sandbox passes by moving its clock.
  let isClockFrozen: Bool
  /// The names by which requests and answers mention it.
  private(set) var ids: [String] = []
  /// The texts that only its requests have; empty: the ids.
  private var marks: [String] = []
  /// Also in the past.
  private var lastRequestAt = Timestamp.earliest

  private let isFromPhoneByProvider: (Journal.Exchange) -> Bool

  /// True for the past: what came after `now` is left out.
  private var isPast = false
  /// The checks of codes that came after `now`.
  private var laterChecks = 0

  private static let exchangeLimit = 200
  private static let messageLimit = 200
  private static let webhookLimit = 100
  private static let eventLimit = 1000

  init(_ subject: Subject, in sandbox: Sandbox, providers: [any Provider.Type]) throws {
    self.subject = subject
    now = sandbox.clock.now
    operatorName = try PhoneNumber(subject.destination).map { try sandbox.subscribers[$0].operatorName }
    isClockFrozen = if case .frozen = sandbox.clock.mode { true } else { false }
    let provider = providers.first { $0.name == subject.provider }
    isFromPhoneByProvider = { provider?.isFromPhone($0) ?? false }
    try findParts(in: sandbox, provider)
    findExchanges(in: sandbox)
    try findWebhooks(in: sandbox)
    try findEvents(in: sandbox)
  }

  private mutating func findParts(in sandbox: Sandbox, _ provider: (any Provider.Type)?) throws {
    switch subject.origin {
    case .verification(let verification):
      if let id = try provider?.id(of: verification, in: sandbox) {
        ids = try [id] + (provider?.aliases(of: id, in: sandbox) ?? [])
      }
      sessions = try sandbox.silentSessions.all(of: verification.ordinal)
      steps = try sandbox.fallbacks.steps(of: verification)
      try findMessages(of: verification, in: sandbox)
      for id in ids {
        var filter = Challenges.Filter()
        (filter.provider, filter.reference) = (subject.provider, id)
        challenges += try sandbox.challenges.all(filter)
      }
    case .challenge(let challenge):
      ids = try [challenge.reference] + (provider?.aliases(of: challenge.reference, in: sandbox) ?? [])
      challenges = [challenge]
    case .session(let session): sessions = try sandbox.silentSessions.all(of: session.draft.verification)
    case .signIn(let signIn): (ids, marks) = ([signIn.id], signIn.marks)
    case .message(let message): (ids, messages) = ([message.reference], [message])
    }
    let pushed = challenges.compactMap(\.push).filter { push in !messages.contains { $0.ordinal == push } }
    messages += try pushed.compactMap { try sandbox.messages.find($0) }
    messages.sort { $0.ordinal < $1.ordinal }
    for message in messages {
      notes[message.ordinal] = sandbox.deliveryNotes[message.ordinal]
      if message.channel == .call { calls[message.ordinal] = try sandbox.calls.find(message.ordinal) }
      if message.channel == .push { pushes[message.ordinal] = try sandbox.pushes.find(message.ordinal) }
    }
  }

  /// The messages of its attempts and steps, and others that name it.
  private mutating func findMessages(of verification: Verification, in sandbox: Sandbox) throws {
    var filter = Messages.Filter()
    (filter.destination, filter.provider) = (subject.destination, subject.provider)
    filter.after = verification.ordinal
    let candidates = try sandbox.messages.page(filter, onHandsets: false, limit: Self.messageLimit)
    let all = try sandbox.verifications.list(
      subject.provider, of: subject.destination, before: .max, limit: Self.messageLimit)
    let sent = candidates.filter { all.sender(of: $0)?.ordinal == verification.ordinal }
    for message in sent where !ids.contains(message.reference) { ids.append(message.reference) }
    messages = candidates.filter { ids.contains($0.reference) }
    for step in steps {
      guard let ordinal = step.message, !messages.contains(where: { $0.ordinal == ordinal }) else { continue }
      if let message = try sandbox.messages.find(ordinal) { messages.append(message) }
    }
  }

  private mutating func findExchanges(in sandbox: Sandbox) {
    let created = [subject.ordinal] + challenges.map(\.ordinal)
    let found = sandbox.journal.newestFirst.lazy.filter { [self] exchange in
      if let about = exchange.effects.verification, subject.verification != nil {
        return about == subject.ordinal
      }
      if exchange.effects.verification == subject.ordinal { return true }
      if created.contains(where: exchange.effects.contains) { return true }
      guard exchange.owner == subject.provider else { return false }
      return (marks.isEmpty ? ids : marks).contains { exchange.mentions($0) } || isRefusedMeanwhile(exchange)
    }
    exchanges = found.prefix(Self.exchangeLimit).reversed()
    lastRequestAt = exchanges.last?.at ?? .earliest
  }

  /// True for a refused request with its number while it was pending: a rule may have refused it before
  /// anybody looked for the verification.
  private func isRefusedMeanwhile(_ exchange: Journal.Exchange) -> Bool {
    exchange.isRefused && exchange.at >= subject.createdAt && exchange.at <= end
      && exchange.effects.newestBefore >= subject.ordinal
      && exchange.mentions(subject.destination.filter { $0 != "+" })
  }

  /// Those about it or its messages, and those that its requests have caused.
  private mutating func findWebhooks(in sandbox: Sandbox) throws {
    let subjects = [subject.ordinal] + messages.map(\.ordinal) + challenges.map(\.ordinal)
    var found = try subjects.flatMap { try sandbox.webhooks.ordinals(about: $0, by: subject.provider) }
    for exchange in exchanges where exchange.effects.newestAfter > exchange.effects.newestBefore {
      found += try sandbox.events.after(exchange.effects.newestBefore, limit: Self.webhookLimit)
        .filter { $0.kind == .webhookEnqueued && exchange.effects.contains($0.ordinal) }.map(\.subject)
    }
    webhooks = try Set(found).sorted().prefix(Self.webhookLimit).compactMap { ordinal in
      guard let webhook = try sandbox.webhooks.find(ordinal) else { return nil }
      return (webhook, try sandbox.webhooks.attempts(of: ordinal))
    }
  }

  private mutating func findEvents(in sandbox: Sandbox) throws {
    let subjects = Set(
      [subject.ordinal] + challenges.map(\.ordinal) + sessions.map(\.ordinal) + messages.map(\.ordinal))
    events = try sandbox.events.after(subject.ordinal - 1, limit: Self.eventLimit).filter { event in
      if event.isOfLine { return event.destination == subject.destination && event.at <= end }
      return subjects.contains(event.subject) && !event.isOfWebhook
    }
  }

  /// The same at an earlier moment, from the times that are stored.
  func asOf(_ moment: Timestamp) -> History {
    var past = self
    (past.now, past.isPast) = (moment, true)
    past.laterChecks = exchanges.count { $0.at > moment && $0.entersCode && $0.injection == nil }
    past.exchanges.removeAll { $0.at > moment }
    past.messages.removeAll { $0.submittedAt > moment }
    past.sessions.removeAll { $0.createdAt > moment }
    past.challenges.removeAll { $0.createdAt > moment }
    past.webhooks = webhooks.filter { $0.webhook.createdAt <= moment }.map { webhook, attempts in
      (webhook, attempts.filter { $0.at <= moment })
    }
    past.events.removeAll { $0.at > moment }
    return past
  }

  /// False for the past.
  var isLive: Bool { !isPast }

  /// The state of the subject.
  var state: Verification.State {
    isPast && now < endedAt ? (now < subject.expiresAt ? .pending : .expired) : subject.state(at: now)
  }

  /// How many checks a verification has had.
  func checks(of verification: Verification) -> Int { max(0, verification.checks - laterChecks) }

  /// The code that was valid; nil if there was none.
  func code(of verification: Verification) -> String? {
    let last = isPast ? attempts(of: verification).last?.code ?? messages.last { $0.code != nil }?.code : nil
    return last ?? (verification.code.isEmpty ? nil : verification.code)
  }

  /// Its sends so far, oldest first.
  func attempts(of verification: Verification) -> [Attempt] {
    verification.attempts.all.filter { !isPast || $0.sentAt <= now }
  }

  /// What the app was answered last: `200 pending`; nil without a request of the app.
  var lastAnswer: String? {
    exchanges.last { $0.owner == subject.provider && !isFromPhone($0) }?.answerSummary
  }

  /// When the subject got its last state.
  private var endedAt: Timestamp {
    switch subject.origin {
    case .verification(let verification): verification.state == .pending ? .earliest : verification.updatedAt
    case .challenge(let challenge): challenge.answeredAt ?? .earliest
    case .session(let session): session.finishedAt ?? .earliest
    default: lastRequestAt
    }
  }

  /// When it ended; now while it is pending.
  private var end: Timestamp {
    guard subject.state(at: now) != .pending else { return now }
    return subject.verification?.updatedAt ?? min(now, subject.expiresAt)
  }
}

extension History {
  /// True if the phone has sent the request: by a provider's SDK there, or by opening a link.
  func isFromPhone(_ exchange: Journal.Exchange) -> Bool {
    exchange.target.contains("/handset/") || isFromPhoneByProvider(exchange)
      || sessions.contains { session in
        AbsoluteURL(session.url).map { exchange.target.contains($0.target.prefix { $0 != "?" }) } ?? false
      }
  }
}

extension Event {
  /// True for a change of a subscriber's line, such as a SIM swap.
  var isOfLine: Bool { kind.rawValue.hasPrefix("subscriber.") }
}

extension Journal.Exchange {
  /// True if the id is in its path, in a body, or in the answer's head, which can have a `Location`.
  func mentions(_ id: String) -> Bool {
    guard !id.isEmpty else { return false }
    let search = ByteSearch(for: id)
    return [Array(target.utf8), requestBody, responseBody, responseHead].contains(where: search.isFound)
  }
}
