import ProviderKit

/// The steps and notes of a diagram, with their places in the order of time.
///
/// With a frozen clock, much happens at the same time. The sandbox's ordinals then decide: what a request has
/// created comes between the request and its answer, and a webhook after the answer.
struct DiagramItems {
  enum Content {
    case step(Diagram.Step)
    case note(String)
  }

  struct Item {
    let at: Timestamp
    /// In the order of significance.
    fileprivate let place: [Int]
    let content: Content
  }

  let history: History
  private var items: [Item] = []

  /// What comes first among things with the same ordinal.
  enum Phase: Int {
    case created
    case arrived
    case receipt
    case reaction
    case event
    case answer
    case webhook
    case request
  }

  init(_ history: History) {
    self.history = history
    addExchanges()
    addMessages()
    addSessions()
    addChallenges()
    addWebhooks()
    addNotes()
  }

  var sorted: [Item] {
    items.sorted { ($0.at, $1.place) == ($1.at, $0.place) ? false : $0.isBefore($1) }
  }

  mutating func add(_ step: Diagram.Step, _ ordinal: Int, _ phase: Phase, _ place: Int...) {
    guard step.at <= history.now else { return }
    items.append(Item(at: step.at, place: [ordinal, phase.rawValue] + place, content: .step(step)))
  }

  mutating func add(note: String, at time: Timestamp, _ ordinal: Int) {
    guard time <= history.now else { return }
    items.append(Item(at: time, place: [ordinal, Phase.event.rawValue], content: .note(note)))
  }

  // MARK: Requests

  private mutating func addExchanges() {
    for exchange in history.exchanges {
      let (from, to) = ends(of: exchange)
      let effects = exchange.effects
      let why = exchange.why?.firstLine.withTimes(at: history.now)
      let isFailed = exchange.hasFailed
      let target = Diagram.Step.Target.request(exchange.ordinal)
      let request = Diagram.Step(
        at: start(of: exchange), from: from, to: to, text: exchange.requestSummary, target: target)
      add(request, effects.newestBefore, .request, exchange.ordinal)
      var answer = Diagram.Step(
        at: exchange.at, from: to, to: from, text: exchange.answerSummary, tone: isFailed ? .failed : .answer,
        target: target)
      answer.reason = isFailed && exchange.injection == nil ? why : nil
      answer.injected = exchange.injection
      if effects.newestAfter > effects.newestBefore {
        add(answer, effects.newestAfter, .answer, exchange.ordinal)
      } else {
        add(answer, effects.newestAfter, .request, exchange.ordinal, 1)
      }
    }
  }

  /// The journal has the time of the answer. What the request has created may be older.
  private func start(of exchange: Journal.Exchange) -> Timestamp {
    let created = history.messages.filter { exchange.effects.contains($0.ordinal) }.map(\.submittedAt)
    let events = history.events.filter { exchange.effects.contains($0.ordinal) }.map(\.at)
    return (created + events).reduce(exchange.at, min)
  }

  /// A phone talks to its operator's gateway and to the provider, all others are requests of the app.
  private func ends(of exchange: Journal.Exchange) -> (from: Diagram.Lane, to: Diagram.Lane) {
    if exchange.owner != history.subject.provider { return (.phone, .network) }
    return (history.isFromPhone(exchange) ? .phone : .app, .provider)
  }

  // MARK: Silent checks

  /// Only where the journal does not have the hops: an SDK may ask the network by itself.
  private mutating func addSessions() {
    for session in history.sessions {
      guard let finding = session.finding, let time = session.finishedAt,
        !history.exchanges.contains(where: { $0.owner != history.subject.provider })
      else { continue }
      let isMatch = finding.outcome == .match
      add(
        Diagram.Step(at: time, from: .provider, to: .network, text: "whose SIM is this?"), session.ordinal,
        .created)
      add(
        Diagram.Step(
          at: time, from: .network, to: .provider, text: session.verdict?.inWords ?? "",
          tone: isMatch ? .answer : .failed, reason: isMatch ? nil : session.verdict?.inWords),
        session.ordinal, .arrived)
    }
  }

  // MARK: Approvals

  private mutating func addChallenges() {
    for challenge in history.challenges {
      if challenge.push == nil {
        add(
          Diagram.Step(at: challenge.createdAt, from: .provider, to: .phone, text: "asks for approval"),
          challenge.ordinal, .created)
      }
      for event in history.events where event.subject == challenge.ordinal {
        add(event, about: challenge)
      }
      if challenge.answer == nil, challenge.expiresAt <= history.now,
        history.subject.verification?.expiresAt != challenge.expiresAt
      {
        add(note: "The request for approval ends without an answer", at: challenge.expiresAt, .max)
      }
    }
  }

  /// What the person did. If the journal has the phone's request, that one shows it.
  private mutating func add(_ event: Event, about challenge: Challenge) {
    let isRequest = history.exchanges.contains {
      $0.effects.contains(event.ordinal) && history.isFromPhone($0)
    }
    let words: (text: String, isFailed: Bool)? =
      switch event.kind {
      case .challengeScanned: ("scans the code", false)
      case .challengeApproved: ("approves", false)
      case .challengeDenied: ("denies", true)
      case .challengeRefused: ("answers, and is refused", true)
      case .pushDelivered: ("push shown", false)
      case .pushRead: ("push opened", false)
      default: nil
      }
    guard let words, !isRequest || event.kind == .challengeDenied else { return }
    var step = Diagram.Step(
      at: event.at, from: .phone, to: .provider, text: words.text, tone: words.isFailed ? .failed : .answer)
    if event.kind == .challengeDenied { step.reason = "the person denies" }
    add(step, event.ordinal, .reaction)
  }

  // MARK: Webhooks

  private mutating func addWebhooks() {
    for (webhook, attempts) in history.webhooks {
      let cause = history.exchanges.first { $0.effects.contains(webhook.ordinal) }
      let ordinal = cause?.effects.newestAfter ?? webhook.ordinal
      let title = webhook.title(about: history.subject)
      for attempt in attempts {
        let target = Diagram.Step.Target.webhook(webhook.ordinal, attempt: attempt.number)
        let next = attempts.first { $0.number == attempt.number + 1 }?.at ?? webhook.nextAt
        add(
          Diagram.Step(
            at: attempt.at, from: .provider, to: .receiver,
            text: attempt.number == 1 ? title : "\(title), try \(attempt.number)",
            injected: attempt.number == 1 ? webhook.fault?.text : nil, target: target),
          ordinal, .webhook, webhook.ordinal, attempt.number, 0)
        add(
          answer(to: attempt, next: next, target), ordinal, .webhook, webhook.ordinal, attempt.number, 1)
      }
      if attempts.isEmpty, let why = webhook.why {
        add(
          Diagram.Step(
            at: webhook.createdAt, from: .provider, to: .receiver, text: title, tone: .failed,
            reason: why, injected: webhook.fault?.text,
            target: .webhook(webhook.ordinal, attempt: 0), hasHappened: false),
          ordinal, .webhook, webhook.ordinal)
      }
    }
  }

  private func answer(
    to attempt: WebhookAttempt, next: Timestamp?, _ target: Diagram.Step.Target
  ) -> Diagram.Step {
    let status = attempt.result.status
    let isAccepted = status.map { (200...299).contains($0) } ?? false
    let again = isAccepted ? nil : next.map { ", again in \(($0 - attempt.at).inWords)" }
    let words = [status.map { String($0) } ?? "no answer", attempt.result.verbs].filter { !$0.isEmpty }
    return Diagram.Step(
      at: attempt.at, from: .receiver, to: .provider,
      text: words.joined(separator: " ") + (again ?? ""), tone: isAccepted ? .answer : .failed,
      reason: isAccepted ? nil : attempt.result.error, target: target)
  }

  // MARK: Notes

  private mutating func addNotes() {
    for event in history.events {
      let isOfRequest = history.exchanges.contains { $0.effects.contains(event.ordinal) }
      switch event.kind {
      case .verificationExpired: add(note: "The verification expires", at: event.at, event.ordinal)
      case .verificationCanceled where !isOfRequest:
        add(note: "The verification is canceled by hand", at: event.at, event.ordinal)
      case .verificationExhausted where !isOfRequest:
        add(note: "The checks are used up by hand", at: event.at, event.ordinal)
      case _ where event.isOfLine: add(note: event.lineChange, at: event.at, event.ordinal)
      default: break
      }
    }
    for step in history.steps {
      guard let failure = step.failure else { continue }
      add(note: "\(step.channel.title.capitalizedFirst) ends: \(failure.inWords)", at: step.changedAt, .max)
    }
  }
}

extension DiagramItems.Item {
  fileprivate func isBefore(_ other: Self) -> Bool {
    at == other.at ? place.lexicographicallyPrecedes(other.place) : at < other.at
  }
}

extension Event {
  /// `SIM swapped`
  fileprivate var lineChange: String { String(inWords.dropFirst("subscriber ".count)).capitalizedFirst }
}

extension Step.Failure {
  fileprivate var inWords: String {
    switch self {
    case .timedOut: "its time is over"
    case .undelivered: "not delivered"
    case .unreachable: "no device to ask"
    case .mismatched: "another number answered"
    case .denied: "the person denied"
    case .passedOver: "the app asked for the next channel"
    }
  }
}

extension SilentVerdict {
  /// What the provider learns.
  var inWords: String {
    switch self {
    case .matched: "the number matches"
    case .mismatched: "another number"
    case .notMobile: "not on mobile data"
    case .noCoverage: "no silent verification at this operator"
    case .carrierError: "the operator's gateway fails"
    case .denied: "the person did not consent"
    case .expired: "the session has expired"
    case .used: "the session was used"
    case .unknown: "unknown session"
    }
  }
}
